/** Every planted fault. */
import type { Contract } from '../../contract/load.ts';
import type { Fault } from '../fault.ts';
import { authentication } from './authentication.ts';
import { clauseFaults } from './clauses.ts';
import { defaults } from './defaults.ts';
import { echo } from './echo.ts';
import { formats } from './formats.ts';
import { limits } from './limits.ts';
import { lists } from './lists.ts';
import { problemFaults } from './problems.ts';
import { protocol } from './protocol.ts';
import { races } from './races.ts';
import { reads } from './reads.ts';
import { refused } from './refused.ts';
import { schema } from './schema.ts';
import { sets } from './sets.ts';
import { strictness } from './strictness.ts';
import { success } from './success.ts';
import { tls } from './tls.ts';
import { uri } from './uri.ts';

/** Those that are written by hand, and those that follow from the clauses of the contract. */
export function faultsFor(contract: Contract): Fault[] {
  return [
    ...success, ...schema, ...echo, ...defaults, ...tls, ...limits, ...strictness, ...formats, ...reads, ...sets, ...lists, ...races,
    ...refused, ...protocol, ...problemFaults, ...authentication, ...uri, ...clauseFaults(contract),
  ];
}
