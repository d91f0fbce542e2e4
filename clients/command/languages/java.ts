import { join } from 'node:path';
import type { Step } from '../../../tools/shell.ts';
import { contractVersion, type Language } from '../language.ts';
import { openapiGenerator, VERSION } from '../openapi-generator.ts';

/** A warning of the compiler is an error, since a quiet Maven does not show it; and only what runs is built. */
const SETTINGS = [
  '-Dmaven.compiler.release=11',
  '-Dmaven.compiler.showWarnings=true',
  '-Dmaven.compiler.failOnWarning=true',
  '-Dmaven.javadoc.skip=true',
  '-Dmaven.source.skip=true',
];

const runs = (work: string, name: string): Step => ({
  command: 'java',
  args: ['-cp', `${join(work, 'example', 'target', 'classes')}:${join(work, 'example', 'target', 'lib', '*')}`, name],
});

export const java: Language = {
  name: 'java',
  generator: 'openapi-generator (native)',
  version: VERSION,
  toGenerate: ['java', 'mvn'],
  toRun: ['java', 'mvn'],
  generate: (out) => openapiGenerator('java', out),
  next: 'It is a Maven project: `mvn install` there, then depend on edge:edge-client. Java 11 or newer.',
  build: (work) => [
    {
      command: 'mvn',
      args: ['-q', '-B', '-DskipTests', ...SETTINGS, `-Dedge.version=${contractVersion()}`, 'package'],
      cwd: work,
    },
  ],
  example: (work) => runs(work, 'Example'),
  sample: runs,
};
