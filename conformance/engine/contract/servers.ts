/** Where the paths of a contract begin on a server. */
import type { Contract } from './load.ts';
import { isObject } from './pointers.ts';

/** The path of the first server, such as `/v1`, with the defaults of its variables; `''` where it has none. */
export function serverPathOf({ document }: Contract): string {
  const [server] = Array.isArray(document['servers']) ? (document['servers'] as unknown[]) : [];
  if (!isObject(server) || typeof server['url'] !== 'string') return '';
  const variables = isObject(server['variables']) ? server['variables'] : {};
  const url = server['url'].replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const variable = variables[name];
    return isObject(variable) ? String(variable['default']) : name;
  });
  // Relative ones are allowed, too.
  return URL.canParse(url, 'http://server.example')
    ? new URL(url, 'http://server.example').pathname.replace(/\/+$/, '')
    : '';
}
