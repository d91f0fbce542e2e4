/** Schemathesis, with which the suite is compared. */
import { join } from 'node:path';
import { pythonEnvironment } from './shell.ts';

/** The versions of .ci/steps/schemathesis, which makes the same environment. */
export const SCHEMATHESIS_VERSION = '4.32.5';
const PACKAGES = [
  `schemathesis==${SCHEMATHESIS_VERSION}`,
  'hypothesis==6.170.15',
  'jsonschema_rs==0.60.3',
];

/** The path of the program, which is installed once. */
export async function schemathesisProgram(): Promise<string> {
  const environment = await pythonEnvironment(`schemathesis-${SCHEMATHESIS_VERSION}`, ...PACKAGES);
  return join(environment, 'bin/schemathesis');
}
