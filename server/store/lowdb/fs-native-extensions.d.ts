declare module 'fs-native-extensions' {
  /**
   * Takes an exclusive lock on a part of the file, of the whole if the length is 0; false if
   * another open file has one. macOS locks whole files only.
   */
  export function tryLock(fd: number, offset?: number, length?: number): boolean;
}
