import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

import { Obstacle, root, run } from './project.mjs';

/** Statements that are no repository's or query builder's. Fewer is better; more needs a reason that is worth this line. */
const MOST = 120;

const METHODS = new Set(['query', 'queryOnce', 'one', 'execute', 'insertLast']);
const CONNECTIONS = new Set(['database', 'source', 'manager', 'runner', 'pool', 'client', 'connection']);
const STATEMENT = /^\s*(WITH|SELECT|INSERT INTO|UPDATE|DELETE FROM|LOCK TABLE)\s/;
const WRITTEN = /\b(?:INSERT INTO|UPDATE|DELETE FROM) ([a-z_]+)/g;

/** Fails where more is in SQL than was settled, outside of the files for it, or writes another folder's table. */
await run(() => {
  const files = sources();
  const owners = new Map(files.flatMap((file) => tablesOf(file).map((table) => [table, file.owner])));
  const found = files.map((file) => examine(file, owners));
  const problems = found.flatMap((file) => file.problems);
  const count = found.reduce((sum, { statements }) => sum + statements, 0);
  if (count > MOST) problems.push(`${count} statements are written in SQL, and ${MOST} may be.`);
  if (problems.length > 0) throw new Obstacle(`docs/decisions/entities.md:\n${problems.join('\n')}`);
  console.log(`${count} statements in SQL`);
});

/** The program, without what carries statements out, and what makes and copies tables. */
function sources() {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.(spec|fixture)\.ts$/.test(path))
    .filter((path) => !/^(migrations|core\/(copies|database))\//.test(path))
    .map((path) => {
      const [domain, room] = path.split('/');
      const text = readFileSync(join(root, 'src', path), 'utf8');
      return { path, text, owner: domain === 'core' ? `core/${room}` : domain };
    });
}

function tablesOf({ text }) {
  return [...text.matchAll(/^@Entity\('(\w+)'\)/gm)].map(([, table]) => table);
}

function examine({ path, text, owner }, owners) {
  const problems = [];
  let statements = 0;
  const visit = (node) => {
    if (isStatement(node)) statements += 1;
    const sql = textOf(node);
    if (sql !== null) {
      if (STATEMENT.test(sql) && !/\.(sql|repository)\.ts$/.test(path)) {
        problems.push(`src/${path}: a statement, which belongs into a *.sql.ts or a repository of ${owner}`);
      }
      for (const [, table] of sql.matchAll(WRITTEN)) {
        if ((owners.get(table) ?? owner) !== owner) {
          problems.push(`src/${path} writes ${table}, which belongs to ${owners.get(table)}`);
        }
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return { problems, statements };
}

/** Such as `this.database.query(…)`. */
function isStatement(node) {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const { name, expression: receiver } = node.expression;
  const connection = ts.isPropertyAccessExpression(receiver) ? receiver.name : receiver;
  return METHODS.has(name.text) && ts.isIdentifier(connection) && CONNECTIONS.has(connection.text);
}

function textOf(node) {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('?');
}
