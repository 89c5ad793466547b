/** What is used of benchmark.js, which brings no types. */
declare module 'benchmark' {
  interface Options {
    readonly minSamples: number;
    /** Seconds. */
    readonly maxTime: number;
  }

  class Benchmark {
    constructor(name: string, task: () => void, options: Options);
    /** Runs per second, on average. */
    readonly hz: number;
    readonly stats: { readonly rme: number };
    readonly error: Error | undefined;
    run(): this;
  }

  // biome-ignore lint/style/noDefaultExport: it is what the package has
  export default Benchmark;
}
