/** The command line that runs one case again. It shows the places of secrets, and no secret. */
import { quote } from '../engine/report/shell.ts';
import type { OptionName } from './option-table.ts';
import type { Options } from './options.ts';
import { shownProxy } from './secrets.ts';

const SECRET = '…';

/** @param name of the case */
export function replayCommand(options: Options, name: string): string {
  const words = [options.url];
  const add = (option: OptionName, ...values: (string | undefined)[]) => {
    for (const value of values) {
      if (value !== undefined) {
        words.push(`--${option}`, value);
      }
    }
  };
  add('contract', options.contract);
  add('data', shownData(options.data));
  add('hooks', options.hooks);
  add('level', options.level);
  add('origin', options.origin === 'all' ? undefined : options.origin);
  add('auth', ...Object.keys(options.auth).map((scheme) => `${scheme}=${SECRET}`));
  add('cert', options.tls.cert);
  add('key', options.tls.key);
  add('ca', options.tls.ca);
  add('proxy', options.proxy && shownProxy(options.proxy));
  add('server-variable', ...Object.entries(options.serverVariables).map((pair) => pair.join('=')));
  add('header', ...Object.keys(options.headers).map((header) => `${header}: ${SECRET}`));
  add('subscription-id', ...options.subscriptionIds);
  add('event-type', ...options.eventTypes);
  add('hostport-domain', options.hostportDomain);
  add('certificate-authority-id', ...options.certificateAuthorityIds);
  add('replay', name);
  return [...variablesFor(options), programName(), ...words.map(quote)].join(' ');
}

/** The variables of the environment that have tokens. */
function variablesFor({ token, readOnlyToken, otherToken }: Options): string[] {
  const variables: string[] = [];
  if (token !== undefined) {
    variables.push(`CONFORMANCE_TOKEN=${SECRET}`);
  }
  if (readOnlyToken !== undefined) {
    variables.push(`CONFORMANCE_READ_ONLY_TOKEN=${SECRET}`);
  }
  if (otherToken !== undefined) {
    variables.push(`CONFORMANCE_OTHER_TOKEN=${SECRET}`);
  }
  return variables;
}

/** A map may have a password in it. */
function shownData(data: string | undefined): string | undefined {
  if (data?.startsWith('{')) {
    return SECRET;
  }
  return data;
}

function programName(): string {
  // In a checkout, npx would ask the public registry for a package of that name.
  const isCheckout = process.env['npm_lifecycle_event'] === 'conformance';
  if (isCheckout) {
    return 'npm run conformance --';
  }
  return 'npx @edge-contract/conformance';
}
