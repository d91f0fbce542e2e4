/** Sequences of commands, held against the model: what no single law says. */
import fc from 'fast-check';
import type { Session } from '../../engine/http/session.ts';
import type { Command } from '../model/command.ts';
import { runCommand } from '../model/run.ts';
import { SubscriptionModel } from '../model/subscription.ts';
import { law } from './event-sources.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { workspace } from '../workspace.ts';

const COMMANDS: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('add' as const), type: fc.nat({ max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('read' as const), type: fc.nat({ max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('list' as const), limit: fc.integer({ min: 1, max: 5 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('replace' as const),
      type: fc.nat({ max: 3 }),
      by: fc.option(fc.nat({ max: 3 })),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), type: fc.nat({ max: 3 }) }) },
);

/** Each of add, replace and remove follows each, and a list follows all. */
const CHANGES: Command[] = (
  [
    { do: 'add', type: 0 },
    { do: 'add', type: 1 },
    { do: 'remove', type: 0 },
    { do: 'add', type: 0 },
    { do: 'replace', type: 1, by: 2 },
    { do: 'replace', type: 2, by: 3 },
    { do: 'add', type: 1 },
    { do: 'add', type: 2 },
    { do: 'remove', type: 1 },
    { do: 'remove', type: 2 },
    { do: 'replace', type: 3, by: 1 },
    { do: 'remove', type: 1 },
    { do: 'add', type: 3 },
  ] satisfies Command[]
).flatMap((change): Command[] => [change, { do: 'list', limit: 3 }]);

export function sequenceLaws(): Requirement[] {
  return [
    law(
      'model',
      {
        origin: 'source §6',
        clause: '/tags/1',
        sentence:
          'Whatever is added, changed, removed, read and listed in whatever order: the subscription is the set of types that results.',
      },
      [
        {
          label: 'sequences of commands',
          // As many long ones as short ones: most faults of state need several steps before they can show.
          values: fc.array(COMMANDS, { minLength: 1, maxLength: 24, size: 'max' }),
          check: runCommands,
        },
        { label: 'each kind of change after each other', values: fc.constant(CHANGES), once: true, check: runCommands },
      ],
    ),
  ];
}

async function runCommands(commands: Command[], session: Session): Promise<void> {
  // The update is decided by D12, adding twice and unknown types by D15: by the source alone, they say nothing.
  const { subscription_id, types, before } = await workspace(session, 4, { atLeast: 2 });
  const ground = { session, subscription_id, types, model: new SubscriptionModel(before) };
  for (const command of session.implementation.origin === 'all' ? commands : onlyStated(commands))
    await runCommand(ground, command);
  await runCommand(ground, { do: 'list', limit: 2 });
}

/** What the source document states: each type added at most once before it is read or removed. */
function onlyStated(commands: Command[]): Command[] {
  const there = new Set<number>();
  return commands.filter((command) => {
    switch (command.do) {
      case 'add':
        return !there.has(command.type) && there.add(command.type);
      case 'remove':
        return there.delete(command.type);
      case 'read':
        return there.has(command.type);
      case 'list':
        return true;
      case 'replace':
        return false;
    }
  });
}
