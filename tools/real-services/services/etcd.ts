import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cached, run } from '../../shell.ts';
import type { RealService } from '../service.ts';

const VERSION = 'v3.6.8';
const MODULE = 'go.etcd.io/etcd/server/v3';
const CONTRACT = 'Documentation/dev-guide/apispec/swagger/rpc.swagger.json';

/** Keys, leases, members and users: every call is a POST. Swagger 2.0, grpc-gateway. */
export const etcd: RealService = {
  name: 'etcd',
  title: `etcd ${VERSION.slice(1)}`,
  needs: ['go'],
  install: () => cached(`etcd-${VERSION}`, install),
  program: ({ installed, data, port }) => {
    const url = `http://127.0.0.1:${port}`;
    // Members reach each other at another address, so that both can have the same port.
    const peers = `http://127.0.0.2:${port}`;
    return {
      command: join(installed, 'etcd'),
      args: [
        `--data-dir=${join(data, 'store')}`,
        `--listen-client-urls=${url}`,
        `--advertise-client-urls=${url}`,
        `--listen-peer-urls=${peers}`,
        `--initial-advertise-peer-urls=${peers}`,
        `--initial-cluster=default=${peers}`,
      ],
    };
  },
  readyPath: '/health',
  contract: { file: (installed) => join(installed, 'contract.json') },
  async makeExisting(send) {
    const kept = Buffer.from('kept').toString('base64');
    await send('POST', '/v3/kv/put', { key: kept, value: kept });
    await send('POST', '/v3/auth/role/add', { name: 'kept' });
    return {
      'a key': { path: '/v3/kv/range', body: { key: kept }, member: 'kvs' },
      'a role': { path: '/v3/auth/role/get', body: { role: 'kept' }, member: 'perm' },
      'the members': { path: '/v3/cluster/member/list', body: {}, member: 'members' },
    };
  },
};

/** A module that needs the server is what Go builds: the server alone replaces its modules. */
async function install(to: string): Promise<void> {
  const sources = join(to, 'sources');
  mkdirSync(sources);
  const go = (...args: string[]) => run({ command: 'go', args, cwd: sources });
  writeFileSync(join(sources, 'etcd.go'), `package sources\n\nimport _ "${MODULE}/etcdmain"\n`);
  await go('mod', 'init', 'sources');
  await go('get', `${MODULE}@${VERSION}`);
  await go('mod', 'tidy');
  await go('build', '-o', join(to, 'etcd'), MODULE);
  const { stdout } = await go('mod', 'download', '-json', `go.etcd.io/etcd/v3@${VERSION}`);
  const { Dir: whole } = JSON.parse(stdout) as { Dir: string };
  copyFileSync(join(whole, CONTRACT), join(to, 'contract.json'));
}
