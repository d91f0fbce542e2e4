import { join } from 'node:path';
import { pythonEnvironment } from '../../shell.ts';
import type { RealService } from '../service.ts';

const VERSION = '1.23.2';
const TOKEN = 'sesame';

/** Projects, tasks and annotations: Django REST framework, drf-spectacular. */
export const labelStudio: RealService = {
  name: 'label-studio',
  title: `Label Studio ${VERSION}`,
  needs: ['python3'],
  install: () => pythonEnvironment(`label-studio-${VERSION}`, `label-studio==${VERSION}`),
  program: ({ installed, data, port }) => {
    const user = ['--username', 'a@example.com', '--password', 'sesame-sesame'];
    const folder = ['--data-dir', join(data, 'store')];
    return {
      command: join(installed, 'bin', 'label-studio'),
      args: [
        'start',
        '--no-browser',
        '--port',
        String(port),
        ...folder,
        ...user,
        '--user-token',
        TOKEN,
      ],
      env: { LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN: 'true', COLLECT_ANALYTICS: 'false' },
    };
  },
  readyPath: '/api/version',
  contract: { path: '/docs/api/schema/json/' },
  credentials: { header: 'Authorization', value: `Token ${TOKEN}`, hasScheme: true },
  async makeExisting(send) {
    const project = (await send('POST', '/api/projects', { title: 'kept' })) as { id: number };
    return { 'a project': `/api/projects/${project.id}` };
  },
};
