/** Commands in any order, one after the other or at once: the service does what the model does. */
import type { Session } from '../../engine/http/session.ts';
import { forAll, forEach } from '../../engine/laws/law.ts';
import { ATOMIC, AT, core, extended, INFO } from '../define.ts';
import type { Command } from '../model/commands.ts';
import { runHistory, runSourceHistory } from '../model/history.ts';
import { runCommand, runStory, startRunWithSubscriptions } from '../model/run.ts';
import {
  EDGE_COMMANDS,
  histories,
  ROUTE_COMMANDS,
  sequences,
  SOURCE_COMMANDS,
} from './random-commands.ts';
import {
  CHANGES_AT_ONCE,
  listSources,
  MOVE_AMONG_READERS,
  ROUTE_STORIES,
  SOURCE_STORY,
  TWO_EDGES,
} from './stories.ts';

async function runRoutes(commands: Command[], session: Session): Promise<void> {
  await runStory([...TWO_EDGES, ...commands], session);
}

async function runSources(commands: Command[], session: Session): Promise<void> {
  const run = await startRunWithSubscriptions(session);
  const { origin } = session.implementation;
  const stated = origin === 'all' ? commands : onlyStated(commands);
  for (const one of [...stated, listSources(0, 2), listSources(1, 3)]) {
    await runCommand(run, one);
  }
}

/**
 * The commands whose outcome the source document states: each type is added at most once before it
 * is read or removed. Updates are decided by D12, adding twice and unknown types by D15.
 */
function onlyStated(commands: readonly Command[]): Command[] {
  const added = new Set<string>();
  const stated: Command[] = [];
  for (const one of commands) {
    const key = `${one.subscription ?? 0} ${one.type ?? 0}`;
    const isAdded = added.has(key);
    if (one.do === 'createEventSource' && !isAdded) {
      added.add(key);
      stated.push(one);
    }
    if (one.do === 'deleteEventSource' && isAdded) {
      added.delete(key);
      stated.push(one);
    }
    if (one.do === 'getEventSource' && isAdded) {
      stated.push(one);
    }
    if (one.do === 'listEventSources') {
      stated.push(one);
    }
  }
  return stated;
}

const routesModel = extended(
  {
    id: 'routes.model',
    origin: 'D10',
    clause: AT.createRoute,
    sentence:
      'After creations, changes, deletions and reads in any order, the routes of two edges are ' +
      'those that result.',
  },
  forAll('sequences of commands', sequences(ROUTE_COMMANDS, 30), runRoutes),
  forEach('sequences that tend to go wrong', ROUTE_STORIES, runRoutes),
);

const sourcesModel = core(
  {
    id: 'sources.model',
    origin: 'source §6',
    clause: '/tags/1',
    sentence:
      'After additions, changes, removals and reads in any order, two subscriptions are the sets ' +
      'of types that result.',
  },
  forAll('sequences of commands', sequences(SOURCE_COMMANDS, 24), runSources),
  forEach('each kind of change after each other', [SOURCE_STORY], runSources),
);

const sourcesLinearizable = core(
  {
    id: 'sources.linearizable',
    origin: 'D12',
    clause: INFO,
    quotes: [ATOMIC],
    sentence:
      'Requests on event sources at once have the effect of the same requests one after the ' +
      'other, in some order.',
  },
  forAll('requests at once', histories(SOURCE_COMMANDS), runSourceHistory),
  forEach('readers of a source that moves', threeTimes(MOVE_AMONG_READERS), runSourceHistory),
);

const ALL_COMMANDS = [...SOURCE_COMMANDS, ...ROUTE_COMMANDS, ...EDGE_COMMANDS];

const modelLinearizable = extended(
  {
    id: 'model.linearizable',
    origin: 'D11',
    clause: INFO,
    quotes: [ATOMIC],
    sentence:
      'Requests on edges, routes and sources at once have the effect of the same requests one ' +
      'after the other, in some order.',
  },
  forAll('requests at once', histories(ALL_COMMANDS, TWO_EDGES), runSourceHistory),
  forEach('a route among changes of its edge', threeTimes(CHANGES_AT_ONCE), runHistory),
);

/** A race may not show the first time. */
function threeTimes<T>(value: T): T[] {
  return [value, value, value];
}

export const sequenceLaws = [routesModel, sourcesModel, sourcesLinearizable, modelLinearizable];
