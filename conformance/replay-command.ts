/** The command line that runs one case again. Without secrets: it says where they belong. */
import type { Options } from './options.ts';
import { quote } from './engine/report/shell.ts';

export function replayCommand(options: Options, name: string): string {
  const flags = [
    ...(options.contract === undefined ? [] : ['--contract', options.contract]),
    ...(options.level === undefined ? [] : ['--level', options.level]),
    ...(options.origin === 'all' ? [] : ['--origin', options.origin]),
    ...Object.keys(options.headers).flatMap((header) => ['--header', `${header}: …`]),
    ...options.subscriptionIds.flatMap((id) => ['--subscription-id', id]),
    ...options.eventTypes.flatMap((type) => ['--event-type', type]),
    ...(options.hostportDomain === undefined ? [] : ['--hostport-domain', options.hostportDomain]),
    ...options.certificateAuthorityIds.flatMap((id) => ['--certificate-authority-id', id]),
  ];
  const tokens = [
    ...(options.token === undefined ? [] : ['CONFORMANCE_TOKEN=… ']),
    ...(options.readOnlyToken === undefined ? [] : ['CONFORMANCE_READ_ONLY_TOKEN=… ']),
  ];
  return `${tokens.join('')}npx edge-conformance ${[options.url, ...flags, '--replay', name].map(quote).join(' ')}`;
}
