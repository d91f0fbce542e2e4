import { join } from 'node:path';
import { pythonEnvironment } from '../../shell.ts';
import type { RealService } from '../service.ts';

const VERSION = '1.5.0';

/** Structures of materials, read alone: FastAPI, with test data in memory. */
export const optimade: RealService = {
  name: 'optimade',
  title: `optimade ${VERSION}`,
  needs: ['python3'],
  install: () => {
    return pythonEnvironment(`optimade-${VERSION}`, `optimade[server]==${VERSION}`);
  },
  program: ({ installed, port }) => ({
    command: join(installed, 'bin', 'python'),
    args: ['-m', 'uvicorn', 'optimade.server.main:app', '--port', String(port)],
    env: { OPTIMADE_DATABASE_BACKEND: 'mongomock' },
  }),
  readyPath: '/v1/info',
  contract: { path: '/v1/extensions/openapi.json' },
  async makeExisting() {
    return {};
  },
};
