// A task of which only the newest wish counts.

/** Runs a task when it is wanted, and once more if it was wanted again meanwhile. */
export class Newest {
  private running: Promise<void> | undefined;
  private isWanted = false;

  constructor(private readonly task: () => Promise<void>) {}

  want(): void {
    this.isWanted = true;
    this.running ??= this.run();
  }

  private async run(): Promise<void> {
    try {
      while (this.isWanted) {
        this.isWanted = false;
        await this.task();
      }
    } finally {
      this.running = undefined;
    }
  }

  /** Ends when nothing is wanted any more. */
  done(): Promise<void> {
    return this.running ?? Promise.resolve();
  }
}
