/**
 * The scripts of a made-up shop. They run in the real sandbox without any package.
 *
 * @typedef {object} DemoScript
 * @property {string} slug
 * @property {string} name
 * @property {string} description
 * @property {string[]} tags
 * @property {Record<string, string>} files
 * @property {object} [version] fields of the version besides its archive
 * @property {object} [settings] fields that are changed afterwards, such as its policy
 * @property {(i: number) => object} [inputs] of its i-th run
 * @property {number} share how often it runs, compared to the others
 */

const text = (description, more = {}) => ({ type: 'string', description, ...more });
const pick = (list) => (i) => list[i % list.length];
const cities = pick(['Hamburg', 'Lisbon', 'Oslo', 'Turin', 'Leeds']);
const customers = pick(['cus_8812', 'cus_1290', 'cus_5577', 'cus_3401', 'cus_7765', 'cus_2298']);

const python = (body) => `import json, os, sys, time

inputs = json.load(open(os.environ["GATEHOUSE_INPUTS"]))

def log(line):
    print(line, file=sys.stderr, flush=True)

${body}`;

/** @type {DemoScript[]} */
export const SCRIPTS = [
  {
    slug: 'daily-sales',
    name: 'Daily sales report',
    description: 'Sums up the orders of a day by city and writes a CSV for the finance team.',
    tags: ['report', 'finance'],
    readme: `# Daily sales report

Reads the orders of one day and sums them up **by city**. The result is a table here, and \`sales.csv\` in the files of the run.

| column | meaning |
|---|---|
| city | where the order was delivered |
| orders | how many there were |
| revenue | in euros, without tax |

Runs by itself every weekday at 6:30. Ask *Finance* before changing the columns.
`,
    files: {
      'main.py': python(`cities = ["Hamburg", "Lisbon", "Oslo", "Turin", "Leeds", "Ghent"]
rows = []
for step, city in enumerate(cities):
    seed = sum(map(ord, city + inputs["day"]))
    orders = 20 + seed % 60
    rows.append({"city": city, "orders": orders, "revenue": round(orders * (18 + seed % 23) * 1.07, 2)})
    log(f"\\x1b[36m{city}\\x1b[0m: {orders} orders")
    print(f"::progress {(step + 1) / len(cities)} {city}", file=sys.stderr, flush=True)
os.makedirs("/outputs", exist_ok=True)
with open("/outputs/sales.csv", "w") as out:
    out.write("city,orders,revenue\\n")
    for row in rows:
        out.write(f"{row['city']},{row['orders']},{row['revenue']}\\n")
log("\\x1b[32mdone\\x1b[0m, wrote sales.csv")
print(json.dumps(rows))
`),
      'README.md': '# Daily sales report\n',
    },
    version: {
      inputSchema: {
        type: 'object',
        properties: {
          day: text('Which day to sum up.', { format: 'date', default: '2026-11-20' }),
          currency: {
            type: 'string',
            enum: ['EUR', 'NOK', 'GBP'],
            default: 'EUR',
            description: 'Shown in the report.',
          },
        },
        required: ['day'],
      },
      timeout: 120,
    },
    inputs: (i) => ({ day: `2026-11-${String((i % 20) + 1).padStart(2, '0')}` }),
    share: 6,
  },
  {
    slug: 'refund-payment',
    name: 'Refund a payment',
    description: 'Pays a customer back. Always waits for the yes of an owner or admin.',
    tags: ['payments'],
    files: {
      'main.py': python(`log(f"asking the payment provider about {inputs['customer']}")
time.sleep(0.1)
log("refund is booked")
print(json.dumps({"refunded": inputs["amount"], "customer": inputs["customer"], "reference": f"rf_{int(inputs['amount'] * 977) % 100000}"}))
`),
    },
    version: {
      inputSchema: {
        type: 'object',
        properties: {
          customer: text('The id of the customer, such as cus_8812.', { pattern: '^cus_[0-9]+$' }),
          amount: { type: 'number', minimum: 0.5, maximum: 500, description: 'In euros.' },
          reason: { type: 'string', enum: ['damaged', 'late', 'goodwill'], default: 'damaged' },
        },
        required: ['customer', 'amount'],
      },
      hosts: ['api.stripe.com'],
      secrets: {
        STRIPE_KEY: { hosts: ['api.stripe.com'], header: 'authorization', value: 'Bearer {secret}' },
      },
    },
    settings: { approvalPolicy: 'always' },
    inputs: (i) => ({ customer: customers(i), amount: 12 + ((i * 7) % 90) + 0.5 }),
    share: 1,
  },
  {
    slug: 'sync-contacts',
    name: 'Sync contacts to the CRM',
    description: 'Copies new newsletter contacts into the CRM and skips those that are there already.',
    tags: ['crm', 'nightly'],
    files: {
      'main.mjs': `const total = 40 + (Date.now() % 25);
for (let i = 1; i <= total; i += 1) {
  if (i % 9 === 0) console.error(\`\\x1b[33mskip\\x1b[0m contact \${i}: is there already\`);
  else console.error(\`contact \${i} of \${total} copied\`);
}
console.log(JSON.stringify({ copied: total - Math.floor(total / 9), skipped: Math.floor(total / 9) }));
`,
    },
    version: {
      hosts: ['api.hubspot.com'],
      secrets: {
        HUBSPOT_TOKEN: { hosts: ['api.hubspot.com'], header: 'authorization', value: 'Bearer {secret}' },
      },
      timeout: 300,
    },
    share: 5,
  },
  {
    slug: 'stock-check',
    name: 'Stock level check',
    description: 'Looks for articles that will run out within a week and fails loudly if there are many.',
    tags: ['warehouse', 'nightly'],
    files: {
      'main.py': python(`low = (sum(map(ord, inputs["warehouse"])) + int(time.time() * 10)) % 14
log(f"checked 1,204 articles in {inputs['warehouse']}")
if low > 11:
    log(f"{low} articles are about to run out, more than the 11 that are normal")
    sys.exit(3)
print(json.dumps({"warehouse": inputs["warehouse"], "low": low}))
`),
    },
    version: {
      inputSchema: {
        type: 'object',
        properties: { warehouse: { type: 'string', enum: ['Hamburg', 'Lisbon', 'Oslo', 'Turin', 'Leeds'] } },
        required: ['warehouse'],
      },
    },
    inputs: (i) => ({ warehouse: cities(i) }),
    share: 7,
  },
  {
    slug: 'import-orders',
    name: 'Import orders from CSV',
    description: 'Takes a file of orders, checks each line, and says which ones cannot be imported.',
    tags: ['orders'],
    files: {
      'main.py':
        python(`rows = open(inputs["file"]).read().strip().splitlines()[1:] if inputs.get("file") else []
log(f"{len(rows)} lines")
print(json.dumps({"imported": len(rows), "refused": []}))
`),
    },
    version: {
      inputSchema: {
        type: 'object',
        properties: {
          file: text('A CSV with the columns id, customer and total.', { format: 'file' }),
          dryRun: { type: 'boolean', default: false, description: 'Check only, import nothing.' },
        },
      },
    },
    inputs: () => ({}),
    share: 2,
  },
  {
    slug: 'invoice-reminders',
    name: 'Invoice reminders',
    description: 'Finds invoices that are overdue and lists whom to remind.',
    tags: ['finance', 'nightly'],
    files: {
      'main.py':
        python(`names = ["Baltic Foods", "Rua Nova Lda", "Fjordhandel AS", "Torino Grossisti", "Aire & Sons"]
rows = [{"customer": name, "invoice": f"2026-{1400 + i}", "days": 8 + i * 5, "amount": 210.5 + i * 88} for i, name in enumerate(names)]
for row in rows:
    log(f"{row['customer']}: {row['days']} days overdue")
print(json.dumps(rows))
`),
    },
    share: 4,
  },
  {
    slug: 'clean-temp-files',
    name: 'Clean temporary exports',
    description: 'Removes exports that are older than a week.',
    tags: ['housekeeping'],
    files: {
      'run.sh': `#!/bin/bash
for i in 1 2 3 4 5 6; do echo "removed export-$RANDOM.csv" >&2; done
echo '{"removed": 6, "freedMb": 184}'
`,
    },
    share: 5,
  },
  {
    slug: 'deploy-shop',
    name: 'Deploy the shop',
    description: 'Rolls a tagged release of the shop out. In production it needs a second pair of eyes.',
    tags: ['deploy'],
    files: {
      'main.py':
        python(`steps = ["fetch the release", "migrate the database", "roll out to 2 of 6", "roll out to 6 of 6", "check the health"]
for number, step in enumerate(steps):
    log(f"[{number + 1}/{len(steps)}] {step}")
    print(f"::progress {(number + 1) / len(steps)} {step}", file=sys.stderr, flush=True)
    time.sleep(0.05)
print(json.dumps({"release": inputs["release"], "instances": 6}))
`),
    },
    version: {
      inputSchema: {
        type: 'object',
        properties: { release: text('The tag to roll out, such as v2.14.0.', { pattern: '^v[0-9.]+$' }) },
        required: ['release'],
      },
      hosts: ['deploy.example.com'],
      timeout: 600,
    },
    settings: { approvalPolicy: 'always' },
    inputs: (i) => ({ release: `v2.${14 + (i % 4)}.0` }),
    share: 1,
  },
  {
    slug: 'customer-export',
    name: 'Export a customer’s data',
    description: 'Everything that is kept about one customer, as they may ask for by law.',
    tags: ['privacy'],
    files: {
      'main.py':
        python(`record = {"customer": inputs["customer"], "orders": [{"id": 901, "total": 48.2}, {"id": 1033, "total": 19.9}], "newsletter": True, "notes": None}
os.makedirs("/outputs", exist_ok=True)
json.dump(record, open("/outputs/export.json", "w"), indent=2)
log("wrote export.json")
print(json.dumps(record))
`),
    },
    version: {
      inputSchema: {
        type: 'object',
        properties: { customer: text('The id of the customer.', { pattern: '^cus_[0-9]+$' }) },
        required: ['customer'],
      },
    },
    inputs: (i) => ({ customer: customers(i) }),
    share: 3,
  },
  {
    slug: 'currency-rates',
    name: 'Currency rates',
    description: 'Fetches the rates of the day and keeps them for the reports.',
    tags: ['finance'],
    files: {
      'index.mjs': `const rates = { NOK: 11.42, GBP: 0.84, USD: 1.07 };
console.error('rates of today, against the euro');
console.log(JSON.stringify(rates));
`,
    },
    version: { hosts: ['api.frankfurter.app'] },
    share: 6,
  },
  {
    slug: 'send-newsletter',
    name: 'Send the newsletter',
    description: 'Sends this week’s newsletter in batches of 500.',
    tags: ['marketing'],
    files: {
      'main.py': python(`for batch in range(1, 9):
    log(f"batch {batch}: 500 sent, {batch % 3} bounced")
print(json.dumps({"sent": 4000, "bounced": 8, "subject": inputs["subject"]}))
`),
    },
    version: {
      inputSchema: {
        type: 'object',
        properties: {
          subject: text('The subject line.', { minLength: 3, maxLength: 90 }),
          audience: { type: 'string', enum: ['everyone', 'customers', 'staff'], default: 'staff' },
        },
        required: ['subject'],
      },
      hosts: ['api.postmarkapp.com'],
      secrets: { POSTMARK_TOKEN: { hosts: ['api.postmarkapp.com'], header: 'x-postmark-server-token' } },
    },
    inputs: (i) => ({
      subject: pick(['Autumn in the north', 'Coffee, roasted slowly', 'New: olives from Puglia'])(i),
    }),
    share: 2,
  },
  {
    slug: 'check-certificates',
    name: 'Check certificates',
    description: 'Warns of TLS certificates that end within three weeks.',
    tags: ['housekeeping', 'nightly'],
    files: {
      'run.sh': `#!/bin/bash
for host in shop api img; do echo "$host.example.com: 61 days left" >&2; done
echo '{"checked": 3, "endingSoon": []}'
`,
    },
    share: 5,
  },
];
