import ts from 'typescript';

const METHODS = new Set(['query', 'queryOnce', 'one', 'execute', 'insertLast']);
const CONNECTIONS = new Set(['database', 'source', 'manager', 'runner', 'pool', 'client', 'connection']);
const STATEMENT = /^\s*(WITH|SELECT|INSERT INTO|UPDATE|DELETE FROM|LOCK TABLE)\s/;
const WRITTEN = /\b(?:INSERT INTO|UPDATE|DELETE FROM) ([a-z_]+)/g;
/** A hole of a template stands where the table should: whose it is can be read by nobody. */
const WRITES_A_HOLE = /(?<!\b(?:FOR|DO) )\b(?:INSERT INTO|UPDATE|DELETE FROM) \?/;
/** Of repositories and query builders. */
const WRITES = new Set([
  'insert',
  'update',
  'delete',
  'save',
  'upsert',
  'remove',
  'increment',
  'decrement',
  'into',
]);

export function tablesOf({ text }) {
  return [...text.matchAll(/^@Entity\('(\w+)'\)/gm)].map(([, table]) => table);
}

export function entitiesOf({ text }) {
  return [...text.matchAll(/^@Entity\('\w+'\)[^]*?^export class (\w+)/gm)].map(([, name]) => name);
}

/**
 * @param owners which folder each of the `tables` and `entities` belongs to
 * @returns how many statements are carried out there, and what is wrong with those that are written there
 */
export function examine({ path, text, owner }, { tables, entities }) {
  const problems = [];
  let statements = 0;
  const isForeign = (owners, name) => (owners.get(name) ?? owner) !== owner;
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const repositories = repositoriesOf(source);
  const visit = (node) => {
    if (isStatement(node)) statements += 1;
    const sql = textOf(node);
    if (sql !== null) {
      if (STATEMENT.test(sql) && !/\.(sql|repository)\.ts$/.test(path)) {
        problems.push(`src/${path}: a statement, which belongs into a *.sql.ts or a repository of ${owner}`);
      }
      if (WRITES_A_HOLE.test(sql)) problems.push(`src/${path} writes a table that is not named there`);
      for (const [, table] of sql.matchAll(WRITTEN)) {
        if (isForeign(tables, table)) {
          problems.push(`src/${path} writes ${table}, which belongs to ${tables.get(table)}`);
        }
      }
    }
    for (const entity of writtenBy(node, repositories)) {
      if (isForeign(entities, entity)) {
        problems.push(`src/${path} writes ${entity}, which belongs to ${entities.get(entity)}`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
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

/** Name of the parameter or property → the entity, for each `Repository<Entity>`. */
function repositoriesOf(source) {
  const found = new Map();
  const visit = (node) => {
    const { type, name } = node;
    if ((ts.isParameter(node) || ts.isPropertyDeclaration(node)) && type && ts.isTypeReferenceNode(type)) {
      const [entity] = type.typeArguments ?? [];
      if (type.typeName.text === 'Repository' && entity && ts.isTypeReferenceNode(entity)) {
        found.set(name.text, entity.typeName.text);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The entities of `this.rows.update(…)`, `this.rows.createQueryBuilder().delete()` and `manager.insert(Entity, …)`. */
function writtenBy(node, repositories) {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
  if (!WRITES.has(node.expression.name.text)) return [];
  const [first] = node.arguments;
  const given = first && ts.isIdentifier(first) ? first.text : null;
  return [given, repositories.get(rootOf(node.expression.expression))].filter(Boolean);
}

/** `rows` of `this.rows.createQueryBuilder()`. */
function rootOf(node) {
  if (ts.isCallExpression(node)) return rootOf(node.expression);
  if (!ts.isPropertyAccessExpression(node)) return null;
  return node.expression.kind === ts.SyntaxKind.ThisKeyword ? node.name.text : rootOf(node.expression);
}
