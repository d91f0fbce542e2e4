/** Runs a sequence of commands against service and model. */
import { add } from './add.ts';
import type { Command, Ground } from './command.ts';
import { list } from './list.ts';
import { read } from './read.ts';
import { remove } from './remove.ts';
import { replace } from './replace.ts';

export async function runCommand(ground: Ground, command: Command): Promise<void> {
  switch (command.do) {
    case 'add':
      return add(ground, command);
    case 'read':
      return read(ground, command);
    case 'list':
      return list(ground, command);
    case 'replace':
      return replace(ground, command);
    case 'remove':
      return remove(ground, command);
  }
}
