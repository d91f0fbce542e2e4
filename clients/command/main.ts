/** The process of `npm run client`. It exits with 0 when the client was made, else with 1. */
import { client } from './client.ts';
import { languages } from './languages.ts';
import { startProgress } from './progress.ts';
import { CommandError } from '../../tools/shell.ts';

const progress = startProgress((line) => process.stderr.write(`client: ${line}`));
try {
  const { report } = progress;
  const cwd = process.env['INIT_CWD'] ?? process.cwd();
  process.stdout.write(await client(process.argv.slice(2), languages, { report, cwd }));
} catch (error) {
  if (!(error instanceof CommandError)) {
    throw error;
  }
  process.stderr.write(`client: ${error.message}\n`);
  process.exitCode = 1;
} finally {
  progress.end();
}
