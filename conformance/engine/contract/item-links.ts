/** Links that a contract does not state: its paths and schemas show what makes an item. */
import { LAST_KEY, withoutSlash } from './item-paths.ts';
import { keyFor } from './item-keys.ts';
import { type Link, linksOf } from './links.ts';
import { type Contract, perContract } from './load.ts';
import { type Operation, operationsOf, schemaOfSuccess, successOf } from './operations.ts';
import { joinPointer } from './pointers.ts';

/** In a link, the last segment of the path in the `Location` of the response. */
export const LOCATION = '$response.header.location';

/**
 * In a link, the key that the response shows although the contract does not declare it: see
 * `keyIn`.
 */
export const SHOWN = '$response';

/**
 * By convention, a POST to `/things` makes the item of `/things/{id}`, named by a member of its
 * response or `Location`.
 */
const inferredLinks = perContract((contract): readonly Link[] => {
  const hasSuccess = ({ responses }: Operation) =>
    Object.keys(responses).some((status) => /^(2|default)/.test(status));
  const operations = operationsOf(contract).filter(
    (one) => one.unsupported === undefined && hasSuccess(one),
  );
  const posts = operations.filter(({ method }) => method === 'POST');
  return operations.flatMap((to): Link[] => {
    const [, collection, name] = LAST_KEY.exec(to.path) ?? [];
    const from =
      posts.find(({ path }) => withoutSlash(path) === collection) ??
      posts.find((one) => makesUnderParent(one, `${collection}/{${name}}`, operations));
    const parameter = to.parameters.find((one) => one.in === 'path' && one.name === name);
    if (name === undefined || !from || !parameter) {
      return [];
    }
    const [member, ...around] = keyFor(contract, from, parameter);
    const hasLocation = Object.keys(successOf(from).headers).some(
      (header) => header.toLowerCase() === 'location',
    );
    const above = [...collection!.matchAll(/\{([^{}]+)\}/g)].map(([, one]) => [
      one,
      `$request.path.${one}`,
    ]);
    const stated = hasLocation ? LOCATION : SHOWN;
    const own =
      member === undefined ? stated : `$response.body#${joinPointer('', ...around, member)}`;
    const isGuess = member !== 'id' && member !== name;
    return [
      {
        from,
        to,
        parameters: { ...Object.fromEntries(above), [name]: own },
        ...(isGuess ? { isGuess } : {}),
      },
    ];
  });
});

/** The path above, the name and the id of an item: `/tasks/{id}`. */
const ITEM_PATH = /^(.*)(\/[^/{}]+)\/\{[^{}]+\}$/;

/**
 * Whether a POST to `/projects/{id}/tasks` makes the item of `/tasks/{id}`: a GET of that has the
 * same schema.
 */
function makesUnderParent(
  from: Operation,
  item: string,
  operations: readonly Operation[],
): boolean {
  const [, above, kind] = ITEM_PATH.exec(item) ?? [];
  if (!from.path.startsWith(`${above}/`) || !from.path.endsWith(`}${kind}`)) {
    return false;
  }
  const read = operations.find(({ method, path }) => method === 'GET' && path === item);
  const schema = read && schemaOfSuccess(read);
  return schema !== undefined && schemaOfSuccess(from) === schema;
}

/** The links of the contract, and behind them those by convention. */
export const allLinks = perContract((contract) => [
  ...linksOf(contract),
  ...inferredLinks(contract),
]);

/** The operation that reads the item which a POST makes: by a link, or by convention. */
export function isRead({ from, to }: Link, contract: Contract): boolean {
  if (from.method !== 'POST' || to.method !== 'GET' || !to.path.includes('{')) {
    return false;
  }
  const isStated = linksOf(contract).some((link) => link.from === from && link.to === to);
  return isStated || /[/('](\{[^{}]+\})$/.test(withoutSlash(to.path));
}
