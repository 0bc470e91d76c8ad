import { DEFINITION_FILE } from './definition.js';

const definition = (slug: string, command: string): string => `slug: ${slug}
name: ${slug}
description: Greets somebody.
# What a run executes. {name} is an input; what is in [ ] is left out when its inputs are empty.
command: ${command}
timeout: 30
# The only hosts that it may reach, by HTTPS, or {host, protocol}; without any, it has no network.
hosts: []
inputSchema:
  type: object
  required: [name]
  properties:
    name:
      type: string
      description: Who is greeted
`;

/** What a new script can begin as, by name. */
export const TEMPLATES: Readonly<Record<string, (slug: string) => Record<string, string>>> = {
  python: (slug) => ({
    [DEFINITION_FILE]: definition(slug, 'python3 main.py {name}'),
    'main.py': `import json
import sys

# Standard error is the log; what is printed is the output.
print("greeting", sys.argv[1], file=sys.stderr)
print(json.dumps({"greeting": f"Hello, {sys.argv[1]}!"}))
`,
  }),
  node: (slug) => ({
    [DEFINITION_FILE]: definition(slug, 'node main.mjs {name}'),
    'main.mjs': `const [name] = process.argv.slice(2);
// Standard error is the log; what is printed is the output.
console.error('greeting', name);
console.log(JSON.stringify({ greeting: \`Hello, \${name}!\` }));
`,
  }),
  shell: (slug) => ({
    [DEFINITION_FILE]: definition(slug, 'bash main.sh {name}'),
    'main.sh': `set -euo pipefail
# Standard error is the log; what is printed is the output.
echo "greeting $1" >&2
echo "Hello, $1!"
`,
  }),
};
