/**
 * `node tools/run.js clients/round-trip/main [LANGUAGE...]`: every client, or those that are named, against the reference server.
 *
 * It exits with 0 when none failed and at least one passed, with 1 when one failed, with 2 when nothing could be tried.
 */
import { languages } from '../command/languages.ts';
import { table, type Trip, trip } from './trip.ts';

const names = process.argv.slice(2);
const unknown = names.filter((name) => !languages.some((language) => language.name === name));
if (names.includes('--help')) {
  process.stdout.write(
    `Makes, builds and runs each client against the reference server.\n\n  node tools/run.js clients/round-trip/main [LANGUAGE...]\n\nLANGUAGE: ${languages.map((one) => one.name).join(', ')}; without one, all. A language whose tools are missing is skipped.\n`,
  );
} else if (unknown.length > 0) {
  process.stderr.write(
    `clients: unknown language '${unknown[0]}': it is one of ${languages.map((one) => one.name).join(', ')}\n`,
  );
  process.exitCode = 2;
} else {
  const trips: Trip[] = [];
  for (const language of languages.filter(({ name }) => names.length === 0 || names.includes(name))) {
    process.stderr.write(`${language.name}...\n`);
    trips.push(await trip(language));
  }
  process.stdout.write(`\n${table(trips)}`);
  const results = trips.map(({ result }) => result);
  process.exitCode = results.includes('failed') ? 1 : results.includes('passed') ? 0 : 2;
}
