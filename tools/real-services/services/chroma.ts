import { join } from 'node:path';
import { pythonEnvironment } from '../../shell.ts';
import type { RealService } from '../service.ts';

const VERSION = '1.5.9';
const DATABASES = '/api/v2/tenants/kept/databases';

/** A vector database, written in Rust: tenants have databases, and these have collections. */
export const chroma: RealService = {
  name: 'chroma',
  title: `chromadb ${VERSION}`,
  needs: ['python3'],
  install: () => pythonEnvironment(`chromadb-${VERSION}`, `chromadb==${VERSION}`),
  program: ({ installed, data, port }) => {
    const place = ['--host', '127.0.0.1', '--port', String(port), '--path', join(data, 'chroma')];
    return {
      command: join(installed, 'bin', 'chroma'),
      args: ['run', ...place],
      env: { ANONYMIZED_TELEMETRY: 'False' },
    };
  },
  readyPath: '/api/v2/heartbeat',
  contract: { path: '/openapi.json' },
  async makeExisting(send) {
    await send('POST', '/api/v2/tenants', { name: 'kept' });
    await send('POST', DATABASES, { name: 'kept' });
    await send('POST', `${DATABASES}/kept/collections`, { name: 'kept' });
    return {
      'a tenant': '/api/v2/tenants/kept',
      'a database': `${DATABASES}/kept`,
      'a collection': `${DATABASES}/kept/collections/kept`,
      'the default database': '/api/v2/tenants/default_tenant/databases/default_database',
    };
  },
};
