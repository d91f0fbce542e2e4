import { join } from 'node:path';
import { pythonEnvironment } from '../../shell.ts';
import type { RealService } from '../service.ts';

const VERSION = '0.7.23';
/** With a newer one, this version does not start. */
const PANDAS = '2.3.3';

/** Projects, datasets and dashboards of a monitor of models: Litestar. */
export const evidently: RealService = {
  name: 'evidently',
  title: `evidently ${VERSION}`,
  needs: ['python3'],
  install: () =>
    pythonEnvironment(`evidently-${VERSION}`, `evidently==${VERSION}`, `pandas==${PANDAS}`),
  program: ({ installed, data, port }) => ({
    command: join(installed, 'bin', 'evidently'),
    args: ['ui', '--host', '127.0.0.1', '--port', String(port), '--workspace', join(data, 'store')],
    env: { DO_NOT_TRACK: '1' },
  }),
  readyPath: '/api/projects',
  contract: { path: '/schema/openapi.json' },
  async makeExisting(send) {
    const id = await send('POST', '/api/projects', { name: 'kept' });
    return { 'a project': `/api/projects/${String(id)}/info` };
  },
};
