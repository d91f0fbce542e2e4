/** Every operator, and the mutants that they make of a contract. */
import type { Contract } from '../../engine/contract/load.ts';
import type { Mutant } from '../mutant.ts';
import { apiOf } from './api.ts';
import { authentication } from './authentication.ts';
import { clauses } from './clauses.ts';
import { effects } from './effects.ts';
import { errorResponses } from './errors.ts';
import { lists } from './lists.ts';
import { mutantsOfOperator, type Operator } from './operator.ts';
import { protocol } from './protocol.ts';
import { races } from './races.ts';
import { reads } from './reads.ts';
import { requestFields } from './request-fields.ts';
import { responseFields } from './response-fields.ts';
import { responses } from './responses.ts';
import { values } from './values.ts';

export const OPERATORS: Operator[] = [
  ...responses,
  ...responseFields,
  ...values,
  ...errorResponses,
  ...requestFields,
  ...clauses,
  ...effects,
  ...reads,
  ...lists,
  ...races,
  ...authentication,
  ...protocol,
];

export function operatorMutants(contract: Contract): Mutant[] {
  const api = apiOf(contract);
  return OPERATORS.flatMap((operator) => mutantsOfOperator(operator, api));
}
