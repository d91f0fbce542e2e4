import { createMemoryStore } from './memory.ts';
import { describeStore } from './store.suite.ts';

describeStore('the memory store', { open: async () => createMemoryStore() });
