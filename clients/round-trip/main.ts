/**
 * `node tools/run.js clients/round-trip/main [NAME...]`: the client of each language, or those that are named, against the
 * reference server. Public clients of an API of this form are named alone: `existing/go`, `existing/python`.
 *
 * A client whose tools are missing is skipped. The exit code is 1 when one failed or, where `CI` is set, was skipped, 2 when
 * nothing could be tried, else 0.
 */
import { existingClients, languages } from '../command/languages.ts';
import { table, type Trip, trip } from './trip.ts';

const names = process.argv.slice(2);
const known = [...languages, ...existingClients];
const unknown = names.find((name) => !known.some((client) => client.name === name));
if (unknown === undefined) {
  const trips: Trip[] = [];
  for (const client of names.length === 0 ? languages : known.filter(({ name }) => names.includes(name))) {
    process.stderr.write(`${client.name}...\n`);
    trips.push(await trip(client));
  }
  process.stdout.write(`\n${table(trips)}`);
  const results = trips.map(({ result }) => result);
  const failed = results.includes('failed') || (process.env['CI'] && results.includes('skipped'));
  process.exitCode = failed ? 1 : results.includes('passed') ? 0 : 2;
} else {
  process.stderr.write(`clients: no client '${unknown}': it is one of ${known.map(({ name }) => name).join(', ')}\n`);
  process.exitCode = 2;
}
