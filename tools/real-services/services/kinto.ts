import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pythonEnvironment } from '../../shell.ts';
import type { RealService } from '../service.ts';

const VERSION = '26.5.0';
const CREDENTIALS = Buffer.from('token:secret').toString('base64');
const CONFIGURATION = 'kinto.ini';

const configuration = (port: number): string => `
[server:main]
use = egg:waitress#main
host = 127.0.0.1
port = ${port}

[app:main]
use = egg:kinto
kinto.userid_hmac_secret = secret
kinto.storage_backend = kinto.core.storage.memory
kinto.cache_backend = kinto.core.cache.memory
kinto.permission_backend = kinto.core.permission.memory
kinto.includes = kinto.plugins.history
kinto.bucket_create_principals = system.Authenticated
kinto.bucket_read_principals = system.Authenticated
multiauth.policies = basicauth
multiauth.policy.basicauth.use = kinto.core.authentication.BasicAuthAuthenticationPolicy
`;

/** Buckets, collections and records with entity tags: Swagger 2.0, Pyramid. */
export const kinto: RealService = {
  name: 'kinto',
  title: `kinto ${VERSION}`,
  needs: ['python3'],
  install: () => pythonEnvironment(`kinto-${VERSION}`, `kinto==${VERSION}`),
  async prepare({ data, port }) {
    writeFileSync(join(data, CONFIGURATION), configuration(port));
  },
  program: ({ installed, data, port }) => ({
    command: join(installed, 'bin', 'kinto'),
    args: ['start', '--ini', join(data, CONFIGURATION), '--port', String(port)],
  }),
  readyPath: '/v1/__lbheartbeat__',
  contract: { path: '/v1/__api__' },
  credentials: { header: 'Authorization', value: `Basic ${CREDENTIALS}`, hasScheme: false },
  async makeExisting(send) {
    await send('PUT', '/v1/buckets/kept', {});
    await send('PUT', '/v1/buckets/kept/collections/kept', {});
    const record = '/v1/buckets/kept/collections/kept/records/kept';
    await send('PUT', record, { data: { color: 'red' } });
    return { 'a bucket': '/v1/buckets/kept', 'a record': record };
  },
};
