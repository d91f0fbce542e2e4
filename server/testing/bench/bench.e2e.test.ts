/** Fails if the server becomes slow again. The bounds are twice the goals of `npm run bench`. */
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../tools/temporary-folder.ts';
import { BARE_EXPRESS, compare, CREATE, ratio, readOfNew, type Row, startBare } from './measure.ts';

/**
 * From Node 24 on, what Express does to prototypes costs little: bare Express takes a third there.
 */
const SCALE = Number(process.versions.node.split('.')[0]) >= 24 ? 3 : 1;

test('CPU time of a read and of a durable create, against bare Express in memory', async () => {
  const folder = await temporaryFolder();
  const start = async (name: string, options: { main?: string; args: string[] }) => {
    const server = await startBare(options);
    onTestFinished(() => void server.child.kill('SIGKILL'));
    return { name, server, requests: { read: await readOfNew(server), create: CREATE } };
  };
  const subjects = [
    await start('bare', { main: BARE_EXPRESS, args: [] }),
    await start('own', { args: ['--data-dir', `${folder}/data`] }),
  ];
  const rows = await compare(subjects, { connections: [8], rounds: 5, seconds: 1 });
  expect(ratioToFirst(rows, 'read')).toBeLessThan(1 * SCALE);
  expect(ratioToFirst(rows, 'create')).toBeLessThan(2 * SCALE);
});

function ratioToFirst(rows: readonly Row[], request: string): number {
  const [base, own] = rows.filter((row) => row.request === request);
  return ratio(own!, base!, 'cpuMicros');
}
