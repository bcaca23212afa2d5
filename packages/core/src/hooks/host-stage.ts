/** Where the host's own taps stand: behind every plugin's that names no later one. */
export const HOST_STAGE = 100;
