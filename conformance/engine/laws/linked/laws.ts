/** The laws that follow from the links of a contract, and why others do not. */
import type { Contract } from '../../contract/load.ts';
import { type Operation, operationsOf } from '../../contract/operations.ts';
import { type Requirement, statedIn, untried } from '../../requirements/requirement.ts';
import { LAWS, type LawName, lawsOf, type Rule } from '../index.ts';
import type { Law } from '../law.ts';
import { surveyed } from './places.ts';
import { type Linked, linkedResources, type Need } from './resource.ts';

/** Each law that HTTP and a contract promise, by the end of its id, with the operation that states it. */
const PROMISED: readonly [LawName, string, 'create' | 'read' | 'update' | 'delete' | 'list', readonly Need[]][] = [
  ['createdTogether', 'ids', 'create', ['own id']],
  ['echo', 'echo', 'create', ['own id', 'members', 'echo']],
  ['readYourWrite', 'read-your-write', 'read', ['own id', 'members', 'echo']],
  ['siblings', 'siblings', 'read', ['own id', 'members']],
  ['defaults', 'defaults', 'create', ['own id', 'members', 'defaults']],
  ['stable', 'stable', 'read', ['own id', 'members']],
  ['listed', 'listed', 'list', ['own id', 'members', 'list']],
  ['gone', 'gone', 'delete', ['own id', 'members', 'delete', 'gone']],
  ['listDeleted', 'gone-from-list', 'delete', ['own id', 'members', 'delete', 'list']],
  ['updateEcho', 'update', 'update', ['own id', 'members', 'update']],
  ['updateAbsent', 'update.others-stay', 'update', ['own id', 'members', 'update']],
  ['updateBack', 'update.there-and-back', 'update', ['own id', 'members', 'update']],
  ['updateIdempotent', 'update.again', 'update', ['own id', 'members', 'update']],
  ['replaced', 'replaced', 'update', ['own id', 'members', 'update', 'replace']],
  ['refusedUpdate', 'update.refused', 'update', ['own id', 'members', 'update']],
];

export function linkedLaws(contract: Contract): Requirement[] {
  const operations = operationsOf(contract);
  const all = linkedResources(contract).flatMap((found) =>
    'reason' in found
      ? [untried(found.create, 'items', 'What is made is there.', found.reason)]
      : lawsFor(found, operations),
  );
  return statedIn('engine/laws/linked/laws.ts', all);
}

function lawsFor({ create, read, resource, missing }: Linked, operations: readonly Operation[]): Requirement[] {
  const { calls } = resource;
  const all = surveyed(resource);
  return PROMISED.flatMap(([name, id, call, needs]) => {
    const reason = needs.map((need) => missing[need]).find((one) => one !== undefined);
    const law: Law = LAWS[name];
    if (reason !== undefined) return [untried(create, `items.${id}`, law.sentence(resource), reason)];
    const stated = operations.find(({ operationId }) => operationId === calls[call]) ?? read;
    const rule: Rule = [`${create.operationId}.items.${id}`, create.origin, stated.pointer];
    return lawsOf(name === 'createdTogether' ? resource : all, { [name]: rule }, operations);
  });
}
