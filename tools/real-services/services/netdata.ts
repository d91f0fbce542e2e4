import { mkdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { cached } from '../../shell.ts';
import { libraryFolder, unpackPackages } from '../debian.ts';
import type { RealService } from '../service.ts';

const PACKAGES = ['netdata-core', 'netdata-web'];
const WEB = 'usr/share/netdata/web';

/** Metrics of a machine, which are only read: C. */
export const netdata: RealService = {
  name: 'netdata',
  title: 'Netdata 1.37.1 (Debian 12)',
  needs: ['apt-get', 'dpkg-deb'],
  install: () => cached('netdata', (to) => unpackPackages(to, PACKAGES)),
  async prepare({ installed, data, port }) {
    const lines = ['[directories]', `web = ${join(installed, WEB)}`];
    for (const folder of ['cache', 'lib', 'log']) {
      mkdirSync(join(data, folder));
      lines.push(`${folder} = ${join(data, folder)}`);
    }
    lines.push(`plugins = ${join(installed, 'usr/lib/netdata/plugins.d')}`);
    lines.push('[web]', `bind to = 127.0.0.1:${port}`, '[statsd]', 'enabled = no');
    writeFileSync(join(data, 'netdata.conf'), lines.join('\n'));
  },
  program: ({ installed, data }) => ({
    command: join(installed, 'usr/sbin/netdata'),
    args: [
      '-D',
      '-u',
      userInfo().username,
      '-c',
      join(data, 'netdata.conf'),
      '-P',
      join(data, 'pid'),
    ],
    env: { LD_LIBRARY_PATH: libraryFolder(installed) },
  }),
  readyPath: '/api/v1/charts',
  contract: { file: (installed) => join(installed, WEB, 'netdata-swagger.yaml') },
  basePath: '/api/v1',
  async makeExisting() {
    return {};
  },
};
