/** The id of an item: the path parameter, and the member of responses that has it. */
import { memberOf } from '../../contract/by-name.ts';
import { keyFor } from '../../contract/item-keys.ts';
import { LOCATION, SHOWN } from '../../contract/item-links.ts';
import { Unsupported } from '../../contract/keywords.ts';
import type { Link } from '../../contract/links.ts';
import type { Contract } from '../../contract/load.ts';
import { pathParameters } from '../../contract/operations.ts';
import { parsePointer } from '../../contract/pointers.ts';
import { endOf, keyIn } from '../../http/response-keys.ts';
import { required } from '../required.ts';
import type { Resource } from '../resource.ts';
import { isNamedByClient } from './creations.ts';

type IdPlace = Omit<Resource['id'], 'givenBy'>;

/**
 * The path parameter that is the id, and the member of the response that has it; parents keep their
 * names.
 */
export function idPlaceOf(contract: Contract, link: Link): IdPlace {
  if (isNamedByClient(link)) {
    return namedPlaceOf(contract, link);
  }
  const { from, to, parameters } = link;
  const names = [...to.path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name!);
  const own = names.filter((name) => memberOf(parameters, name) !== `$request.path.${name}`);
  const [parameter] = own;
  const given = parameters[parameter ?? ''];
  if (given === LOCATION || given === SHOWN) {
    const stated = to.parameters.find(({ name }) => name === parameter)!;
    const [shownAs] = keyFor(contract, to, stated, from);
    if (shownAs === undefined) {
      throw new Unsupported(
        `${to.operationId} does not document which member is the {${parameter}} of its path`,
      );
    }
    const of: Resource['id']['of'] = (one) =>
      given === SHOWN ? keyIn(one, shownAs, parameter!) : endOf(one);
    return { parameter: parameter!, member: shownAs, of };
  }
  const [, pointer] = MEMBER_OF_BODY.exec(String(given)) ?? [];
  if (own.length !== 1 || pointer === undefined) {
    throw new Unsupported(
      `the link from ${from.operationId} to ${to.operationId} does ` +
        'not lead by one member of the response alone',
    );
  }
  return { parameter: parameter!, member: parsePointer(pointer).at(-1)! };
}

/** @throws Unsupported if the response to a creation does not show the name of the item */
function namedPlaceOf(contract: Contract, { from, to }: Link): IdPlace {
  const stated = required(pathParameters(to).at(-1), `${to.path} names no item`);
  const [member] = keyFor(contract, to, stated, from);
  const [ofCreation] = keyFor(contract, from, stated);
  if (member === undefined || member !== ofCreation) {
    throw new Unsupported(
      `${from.operationId} and ${to.operationId} do not document one member that is the ` +
        `{${stated.name}} of the path`,
    );
  }
  return { parameter: stated.name, member };
}

/** The expression of a link for a member of the response, or for a member of that. */
const MEMBER_OF_BODY = /^\$response\.body#((?:\/[^/]+){1,2})$/;
