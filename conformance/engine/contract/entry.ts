interface Store<K, V> {
  has(key: K): boolean;
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** What the store has under the key, made first where there is nothing yet. What `make` throws is not remembered. */
export function entry<K, V>(store: Store<K, V>, key: K, make: () => V): V {
  if (!store.has(key)) store.set(key, make());
  return store.get(key) as V;
}
