/** Names of the client for what a PUT makes. */
import { type Operation, operationOn, type Parameter } from '../contract/operations.ts';
import type { Session } from '../http/implementation.ts';
import { NotPossible } from '../http/nonconformity.ts';
import { freshName } from '../generate/fresh-names.ts';
import { shortNames } from './values.ts';

/**
 * A name that nothing has. Short ones are looked at first: what has one is of somebody else, or of
 * another case, which may also be about to make it.
 * @param path the values of the other parameters
 * @throws NotPossible if none is found
 */
export async function newName(
  session: Session,
  operation: Operation,
  parameter: Parameter,
  path: Readonly<Record<string, string>>,
): Promise<string> {
  const { implementation, random } = session;
  const { contract } = implementation;
  const sure = freshName(contract, parameter, random);
  if (sure !== undefined) {
    return sure;
  }
  const read = operationOn(contract, 'GET', operation.path);
  const names = read === undefined ? [] : shortNames(contract, parameter, random);
  for (const name of names) {
    if (!session.claim(name)) {
      continue;
    }
    const call = { path: { ...path, [parameter.name]: name } };
    const { status } = await session.call(read?.operationId ?? '', call);
    if (status === 404 || status === 410) {
      return name;
    }
  }
  throw new NotPossible(`no new name is known for {${parameter.name}} of ${operation.path}`);
}
