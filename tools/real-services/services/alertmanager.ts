import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cached, run } from '../../shell.ts';
import type { RealService } from '../service.ts';

/** A newer version cannot be installed by Go alone, since its module lacks the pages it embeds. */
const VERSION = 'v0.28.1';
const MODULE = 'github.com/prometheus/alertmanager';

const CONFIGURATION = `
route:
  receiver: nobody
receivers:
  - name: nobody
`;

/** A day is far longer than a run. */
const DAY_MS = 24 * 60 * 60 * 1000;

/** Alerts and silences: Swagger 2.0, go-swagger. */
export const alertmanager: RealService = {
  name: 'alertmanager',
  title: `Alertmanager ${VERSION.slice(1)}`,
  needs: ['go'],
  install: () => cached(`alertmanager-${VERSION}`, install),
  async prepare({ data }) {
    writeFileSync(join(data, 'alertmanager.yml'), CONFIGURATION);
  },
  program: ({ installed, data, port }) => ({
    command: join(installed, 'alertmanager'),
    args: [
      `--config.file=${join(data, 'alertmanager.yml')}`,
      `--storage.path=${join(data, 'storage')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
    ],
  }),
  readyPath: '/-/ready',
  contract: { file: (installed) => join(installed, 'openapi.yaml') },
  async makeExisting(send) {
    const { silenceID } = (await send('POST', '/api/v2/silences', {
      matchers: [{ name: 'kept', value: 'kept', isRegex: false, isEqual: true }],
      startsAt: new Date().toISOString(),
      endsAt: new Date(Date.now() + DAY_MS).toISOString(),
      createdBy: 'kept',
      comment: 'kept',
    })) as { silenceID: string };
    return { 'a silence': `/api/v2/silence/${silenceID}` };
  },
};

async function install(to: string): Promise<void> {
  const program = `${MODULE}/cmd/alertmanager@${VERSION}`;
  await run({ command: 'go', args: ['install', program], env: { GOBIN: to } });
  const download = ['mod', 'download', '-json', `${MODULE}@${VERSION}`];
  const { stdout } = await run({ command: 'go', args: download });
  const { Dir: sources } = JSON.parse(stdout) as { Dir: string };
  copyFileSync(join(sources, 'api', 'v2', 'openapi.yaml'), join(to, 'openapi.yaml'));
}
