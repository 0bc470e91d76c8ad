// Splits an amount into shares, to the cent.
//
// The inputs are in the file that GATEHOUSE_INPUTS names. What is printed last, as JSON, is the output
// of the run; everything that is written to standard error is its log.
import { readFileSync } from 'node:fs';

const { amount, people } = JSON.parse(readFileSync(process.env.GATEHOUSE_INPUTS, 'utf8'));

const cents = Math.round(amount * 100);
const share = Math.floor(cents / people.length);
const rest = cents - share * people.length;
console.error(`${people.length} people, ${rest} cents are left over and go to the first of them`);

const shares = people.map((person, index) => ({
  person,
  amount: (share + (index < rest ? 1 : 0)) / 100,
}));
console.log(JSON.stringify(shares));
