import { join } from 'node:path';
import { pythonEnvironment } from '../../shell.ts';
import type { RealService } from '../service.ts';

const VERSION = '3.9.1';

/** Flows, their runs and their schedules: FastAPI over SQLite. */
export const prefect: RealService = {
  name: 'prefect',
  title: `prefect ${VERSION}`,
  needs: ['python3'],
  install: () => pythonEnvironment(`prefect-${VERSION}`, `prefect==${VERSION}`),
  program: ({ installed, data, port }) => ({
    command: join(installed, 'bin', 'prefect'),
    args: ['server', 'start', '--host', '127.0.0.1', '--port', String(port), '--no-ui'],
    env: {
      PREFECT_HOME: data,
      PREFECT_SERVER_ANALYTICS_ENABLED: 'false',
      DO_NOT_TRACK: '1',
    },
  }),
  readyPath: '/api/health',
  contract: { path: '/openapi.json' },
  basePath: '/api',
  async makeExisting(send) {
    const flow = (await send('POST', '/api/flows/', { name: 'kept' })) as { id: string };
    await send('POST', '/api/variables/', { name: 'kept', value: 'kept' });
    await send('POST', '/api/work_pools/', { name: 'kept', type: 'process' });
    return {
      'a flow': `/api/flows/${flow.id}`,
      'a variable': '/api/variables/name/kept',
      'a work pool': '/api/work_pools/kept',
    };
  },
};
