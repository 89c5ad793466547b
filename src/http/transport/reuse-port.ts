/**
 * Whether threads can each listen on the same port with sockets of Node.js, the kernel dealing connections out: from
 * 22.12 and 23.1 on, on Linux and the BSDs with load balancing. macOS accepts the option, but gives every connection to
 * one socket.
 */
export function canReusePort(version: string, platform: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const known = major > 23 || (major === 23 && minor >= 1) || (major === 22 && minor >= 12);
  return known && (platform === 'linux' || platform === 'freebsd');
}
