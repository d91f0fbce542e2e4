/** Kinds of findings, in the order in which to fix them, and what reports call them. */
import type { components } from '../../../generated/report/types.ts';

export type Kind = components['schemas']['Kind'];

/** As the heading above the findings of one kind. */
const HEADINGS: Readonly<Record<Kind, string>> = {
  stopped: 'The service stops, or does not respond',
  'server-error': 'The service fails (5xx)',
  'accepts-invalid': 'It accepts what the contract forbids',
  'refuses-valid': 'It refuses what the contract allows',
  response: 'A response breaks the contract',
  law: 'A law of resources does not hold',
  contract: 'The contract itself (not counted)',
};

/** All kinds, in order. */
export const KINDS = Object.keys(HEADINGS) as Kind[];

export const headingOf = (kind: Kind): string => HEADINGS[kind];

/** The place of a kind in the order. */
export const kindRank = (kind: Kind): number => KINDS.indexOf(kind);
