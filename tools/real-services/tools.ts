/** The two tools, as commands. */
import { join } from 'node:path';
import { schemathesisProgram } from '../schemathesis.ts';
import type { RealService } from './service.ts';

export interface Run {
  service: RealService;
  /** Without a path. */
  url: string;
  /** A file. */
  contract: string;
  /** The base path of the operations: that of the contract, or else that of the service. */
  basePath: string;
  seconds: number;
  seed: number;
  /** A folder for the reports. */
  output: string;
}

export interface ToolCommand {
  command: string;
  args: string[];
  env?: Record<string, string>;
}

export interface Tool {
  /** Also that of the folder with its reports. */
  name: 'suite' | 'schemathesis';
  command(run: Run): Promise<ToolCommand>;
}

/** This file runs from the sources and from dist/tools/real-services. */
const IS_SOURCE = import.meta.filename.endsWith('.ts');
export const DIST = join(import.meta.dirname, '../..', IS_SOURCE ? 'dist' : '');

/** The suite of this checkout. It finds the base path itself, unless the contract lacks it. */
const suite: Tool = {
  name: 'suite',
  async command({ service, url, contract, seconds, seed, output }) {
    const { credentials, basePath = '' } = service;
    const args = [join(DIST, 'conformance/main.js'), url + basePath, '--contract', contract];
    args.push('--max-time', String(seconds), '--seed', String(seed), '--report', output);
    if (!credentials) {
      return { command: process.execPath, args };
    }
    const { header, value, hasScheme } = credentials;
    if (hasScheme) {
      return { command: process.execPath, args, env: { CONFORMANCE_TOKEN: value } };
    }
    args.push('--header', `${header}: ${value}`);
    return { command: process.execPath, args };
  },
};

/** Schemathesis with all of its checks. Without the base path, nearly every response is 404. */
const schemathesis: Tool = {
  name: 'schemathesis',
  async command({ service, url, contract, basePath, seconds, seed, output }) {
    const args = ['run', contract, '--url', url + basePath, '--checks', 'all', '--no-color'];
    args.push('--max-time', String(seconds), '--seed', String(seed));
    args.push('--continue-on-failure', '--suppress-health-check', 'all');
    args.push('--report-json-path', join(output, 'report.json'));
    const { credentials } = service;
    if (credentials) {
      args.push('--header', `${credentials.header}: ${credentials.value}`);
    }
    return { command: await schemathesisProgram(), args };
  },
};

export const TOOLS: readonly Tool[] = [suite, schemathesis];
