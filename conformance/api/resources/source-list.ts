/** What listing the sources of a subscription needs to know of them. */
import type { Listed } from '../../engine/laws/resource.ts';

export const sourceList: Listed = {
  one: 'an event source',
  many: 'event sources',
  calls: {
    create: 'createEventSource',
    read: 'getEventSource',
    list: 'listEventSources',
    update: 'updateEventSource',
    delete: 'deleteEventSource',
  },
  id: { parameter: 'type', member: 'type', givenBy: 'body' },
  list: { kind: 'paged', items: 'sources', next: 'uri', shared: false },
};
