package io.sdds.bench.micro;

import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs micro-benchmarks: {@code MicroBenchmarks [regular expression] [options of JMH]}. */
public final class MicroBenchmarks {

    private MicroBenchmarks() {}

    /** Runs the benchmarks whose name matches the expression, or all benchmarks. */
    public static void main(String[] args) throws CommandLineOptionException, RunnerException {
        new Runner(new OptionsBuilder().parent(new CommandLineOptions(args)).build()).run();
    }
}
