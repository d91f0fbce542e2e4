/** What laws need of a resource, and why a contract does not promise it. */
import { defaultOf } from '../../contract/shape.ts';
import type { Facts } from '../resource.ts';

export type Need =
  | 'own id'
  | 'members'
  | 'echo'
  | 'defaults'
  | 'delete'
  | 'gone'
  | 'update'
  | 'replace'
  | 'list';

/** The reasons why laws cannot be tried, by the part of a resource that they need. */
export type Missing = Partial<Record<Need, string>>;

export function missingFrom(facts: Facts): Missing {
  const { create, read, update, put, removal, listForm, id, shows, sent, members, gone } = facts;
  const isOwn = id.givenBy === 'body' || !sent.properties.has(id.member);
  const hasDefault = members.some((name) => defaultOf(sent.properties.get(name)!) !== undefined);
  const reasons: [Need, boolean, string][] = [
    ['own id', isOwn, `\`${id.member}\` may be sent: then two may have the same`],
    [
      'members',
      members.length > 0,
      'no property is both sent and shown with one spelling of its value',
    ],
    [
      'echo',
      shows(create),
      `${create.operationId} does not document that it responds with the item`,
    ],
    ['defaults', hasDefault, 'no property that is sent and shown has a default'],
    ['delete', removal !== undefined, `the contract has no DELETE of ${read.path}`],
    [
      'gone',
      gone.length > 0,
      `${read.operationId} does not document what it responds once the item is gone`,
    ],
    [
      'update',
      !!update,
      `the contract has no PATCH or PUT of ${read.path} with members of the item as JSON`,
    ],
    ['replace', !!put, `the contract has no PUT of ${read.path} with what a POST takes`],
    ['list', typeof listForm !== 'string', String(listForm)],
  ];
  return Object.fromEntries(
    reasons.filter(([, is]) => !is).map(([need, , reason]) => [need, reason]),
  );
}
