import { join } from 'node:path';
import { pythonEnvironment } from '../../shell.ts';
import type { RealService } from '../service.ts';

const VERSION = '2.4.0';

/** Tiles of maps, made of files that a query names: FastAPI, without a file that it could read. */
export const titiler: RealService = {
  name: 'titiler',
  title: `titiler.application ${VERSION}`,
  needs: ['python3'],
  install: () => {
    const packages = [`titiler.application==${VERSION}`, 'uvicorn==0.54.0'];
    return pythonEnvironment(`titiler.application-${VERSION}`, ...packages);
  },
  program: ({ installed, port }) => ({
    command: join(installed, 'bin', 'python'),
    args: ['-m', 'uvicorn', 'titiler.application.main:app', '--port', String(port)],
  }),
  readyPath: '/healthz',
  contract: { path: '/api' },
  async makeExisting() {
    return {};
  },
};
