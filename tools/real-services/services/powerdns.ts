import { join } from 'node:path';
import { cached, run } from '../../shell.ts';
import { libraryFolder, unpackPackages } from '../debian.ts';
import type { RealService } from '../service.ts';

const KEY = 'sesame';
const PACKAGES = ['pdns-server', 'pdns-backend-sqlite3'];
const SCHEMA = 'usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql';

/** Python has SQLite on every machine; its command may be missing. */
const MAKE_DATABASE =
  'import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(open(sys.argv[2]).read())';

/** DNS zones and keys: Swagger 2.0 with merge keys of YAML, C++. */
export const powerdns: RealService = {
  name: 'powerdns',
  title: 'PowerDNS 4.7.3 (Debian 12)',
  needs: ['apt-get', 'dpkg-deb', 'python3'],
  install: () => cached('powerdns', (to) => unpackPackages(to, PACKAGES)),
  async prepare({ installed, data }) {
    const args = ['-c', MAKE_DATABASE, join(data, 'zones.db'), join(installed, SCHEMA)];
    await run({ command: 'python3', args });
  },
  program: ({ installed, data, port }) => {
    const libraries = libraryFolder(installed);
    return {
      command: join(installed, 'usr/sbin/pdns_server'),
      args: [
        `--config-dir=${data}`,
        `--socket-dir=${data}`,
        `--module-dir=${join(libraries, 'pdns')}`,
        '--launch=gsqlite3',
        `--gsqlite3-database=${join(data, 'zones.db')}`,
        '--gsqlite3-dnssec=yes',
        // DNS listens at another address, so that it can have the same port as HTTP.
        '--local-address=127.0.0.2',
        `--local-port=${port}`,
        '--webserver=yes',
        '--webserver-address=127.0.0.1',
        `--webserver-port=${port}`,
        '--webserver-allow-from=127.0.0.1',
        '--api=yes',
        `--api-key=${KEY}`,
        '--disable-syslog=yes',
      ],
      env: { LD_LIBRARY_PATH: libraries },
    };
  },
  readyPath: '/api/v1/servers',
  contract: { path: '/api/docs' },
  credentials: { header: 'X-API-Key', value: KEY, hasScheme: true },
  async makeExisting(send) {
    const zones = '/api/v1/servers/localhost/zones';
    const zone = { name: 'kept.example.', kind: 'Native', nameservers: ['ns.kept.example.'] };
    await send('POST', zones, zone);
    const key = { name: 'kept', algorithm: 'hmac-sha256' };
    await send('POST', '/api/v1/servers/localhost/tsigkeys', key);
    return {
      'a zone': `${zones}/kept.example.`,
      'a key': '/api/v1/servers/localhost/tsigkeys/kept.',
    };
  },
};
