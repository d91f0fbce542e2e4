/** Another commit of this project, built as its own scripts say, so that it can be measured beside what is here. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageFolder } from '../../contract.ts';
import { ourServer } from './candidates.ts';
import type { Candidate } from './server.ts';

export interface Checkout {
  candidate: Candidate;
  remove(): void;
}

/** @throws Error when there is no such commit, or it cannot be built */
export function checkOut(commit: string): Checkout {
  const git = (...args: string[]): string => run('git', args, packageFolder()).trim();
  const name = git('rev-parse', '--short', '--verify', `${commit}^{commit}`);
  const folder = mkdtempSync(join(tmpdir(), 'edge-contract-'));
  const project = join(folder, 'against');
  git('worktree', 'add', '--detach', project, name);
  const remove = (): void => {
    git('worktree', 'remove', '--force', project);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], project);
    run('npm', ['run', 'build'], project);
  } catch (error) {
    remove();
    throw error;
  }
  return { candidate: ourServer(`this server at ${name}`, project), remove };
}

function run(command: string, args: string[], cwd: string): string {
  try {
    return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const { stderr, stdout } = error as { stderr: string; stdout: string };
    throw new Error(`${command} ${args.join(' ')} failed:\n${`${stdout}${stderr}`.trim().slice(-2000)}`, {
      cause: error,
    });
  }
}
