package io.sdds.cli.command.bench;

import io.sdds.bench.load.LoadReports;
import io.sdds.bench.paper.Comparison;
import io.sdds.bench.paper.Csv;
import io.sdds.bench.paper.Experiment;
import io.sdds.bench.paper.Experiments;
import io.sdds.bench.paper.Findings;
import io.sdds.bench.paper.Picture;
import io.sdds.bench.paper.Scale;
import io.sdds.bench.paper.Site;
import io.sdds.bench.paper.Testbed;
import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.config.RecordOptions;
import io.sdds.cli.terminal.Json;
import io.sdds.cli.terminal.Numbers;
import io.sdds.cli.terminal.Progress;
import io.sdds.cli.terminal.TextTable;
import io.sdds.core.model.TableSpec;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        description = {
            "Repeat a published experiment of a paper.",
            "Prints the measured figures beside the figures of the paper, in a table and a picture. Machines differ:"
                    + " compare ratios and shapes."
        },
        footer = {
            "",
            "  lh-6   build time of a table, 1 to 8 clients",
            "  lh-7   throughput scale-up, 1 to 8 clients",
            "  lh-8   static and dynamic split control",
            "  lh-9   atomic and concurrent splitting, individual and bulk shipping",
            "  lh-10  insert time at one client while other clients insert too",
            "  lh-11  insert time at one client, level by level",
            "  dds-5  reads beyond saturation; writes with --replicas 2",
            "  dds-6  processors of two replicas under saturating writes",
            "  dds-7  reads by value size, beside a raw echo",
            "  dds-8  reads and writes while a replica is killed and recovers",
            "  rp-1, rp-2  creation of a range table by one client, by two",
            "  rp-3   split times by capacity",
            "  rp-4, rp-5  inserts, searches, by servers, routing and flow control",
            "  rp-6   range queries by servers",
            "  rp-7   all of the rp figures side by side",
            "  rs-2, rs-3  creation with k = 0, 1, 2 parities on 4, on 8 partitions",
            "  rs-4   key search one by one and in a flow",
            "  rs-5   gets of lost records, which are decoded",
            "  rs-t1  creation of a parity by bucket size",
            "  rs-t2, rs-t3  recovery of 1 to 3 partitions by bucket, by slice size",
            "  amos-1  a join by nested loops: distributed, in H2 and SQLite, at one site",
            "  amos-2  packets, terminations, bricks and weights of a distributed join",
            "",
            "Larger joins as the planner chooses, not in the paper:",
            "  amos-3  beside H2 and SQLite with indexes",
            "",
            "Of tables with parity, not in the paper:",
            "  rs-kill      gets and puts while a brick is killed under load",
            "  rs-recovery  speed of a recovery, without and under load",
            "  rs-cost      memory, writes, reads, losses survived: copies and parities",
            "",
            "lh: Karlsson, Litwin, Risch, LH*LH, EDBT 1996. dds: Gribble, Brewer,",
            "Hellerstein, Culler, Scalable, Distributed Data Structures, OSDI 2000.",
            "rp: Diène, Litwin, Performance Measurements of RP*, 2000.",
            "rs: Moussa, Litwin, Experimental Performance Analysis of LH*RS, 2002.",
            "amos: Ndiaye, Diène, Litwin, Risch, SDDSs for High-Performance Databases.",
            SiteOptions.FOOTER
        })
final class PaperCommand implements Callable<Integer> {
    private static final String COMMAND = "sdds bench paper ";

    private final CommandContext context;

    @Parameters(arity = "1..*", paramLabel = "EXPERIMENT", description = "Name experiments of the list below, or all.")
    private List<String> names = List.of();

    @Mixin
    private SiteOptions site = new SiteOptions(4);

    @Option(
            names = "--replicas",
            paramLabel = "N",
            description = "Set the copies of dds-5. More than one copy: dds-5 writes instead of reads. Default:"
                    + " ${DEFAULT-VALUE}.")
    private int replicas = 1;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            description = "Set the duration of each step of dds-5. Default: 10s.")
    private @Nullable Duration duration;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Write pictures (NAME.png) and their points (NAME.csv) to DIR. Default: ${DEFAULT-VALUE}.")
    private Path out = Path.of("sdds-figures");

    @Option(names = "--csv", paramLabel = "FILE", description = "Write the table of all experiments to FILE as CSV.")
    private @Nullable Path csv;

    PaperCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<Experiment> experiments = Experiments.named(names);
        if (replicas < 1 || replicas > TableSpec.REPLICAS_MAX) {
            throw CommandFailure.usage("--replicas: '" + replicas + "' is not 1 to " + TableSpec.REPLICAS_MAX);
        }
        List<Findings> all = site.run(context, where -> run(experiments, where));
        if (context.json()) {
            Json.print(context.screen().out(), document(all));
        }
        return CommandFailure.OK;
    }

    private List<Findings> run(List<Experiment> experiments, Site where) throws IOException, InterruptedException {
        Files.createDirectories(out);
        List<Findings> all = new ArrayList<>();
        writeCsv(all);
        Scale scale = site.quick() ? Scale.QUICK : Scale.FULL;
        Duration step = duration == null ? scale.overloaded() : duration;
        try (Testbed testbed = new Testbed(where, scale, site.bricks(), replicas, step)) {
            for (Experiment experiment : experiments) {
                Findings findings = run(testbed, experiment);
                all.add(findings);
                Files.writeString(out.resolve(experiment.name() + ".csv"), Csv.points(findings));
                Picture.draw(findings, picture(findings));
                writeCsv(all);
                if (!context.json()) {
                    print(findings);
                }
            }
        }
        return all;
    }

    private Findings run(Testbed testbed, Experiment experiment) throws InterruptedException {
        try (Progress progress = new Progress(context.screen(), experiment.name(), 1, System::nanoTime)) {
            return testbed.run(
                    experiment, (done, rate) -> progress.at(done, Numbers.count(Math.round(rate)) + " operations/s"));
        }
    }

    private Path picture(Findings findings) {
        return out.resolve(Picture.fileName(findings.experiment()));
    }

    private void writeCsv(List<Findings> all) throws IOException {
        if (csv != null) {
            Files.writeString(csv, Csv.comparisons(all));
        }
    }

    // ---- output

    private void print(Findings findings) {
        PrintStream to = context.screen().out();
        to.println(findings.experiment() + ": " + findings.title());
        to.println(findings.setting());
        to.println(findings.machine().cores() + " cores, " + findings.machine().processor() + ", load "
                + Comparison.number(findings.machine().loadAverage()) + " before the run");
        to.println();
        TextTable table = new TextTable(1, "", "PAPER", "OURS", "UNIT", "GOAL");
        for (Comparison each : findings.comparisons()) {
            Double paper = each.paper();
            Comparison.Goal goal = each.goal();
            table.row(
                    each.what(),
                    paper == null ? "" : Comparison.number(paper),
                    Comparison.number(each.ours()),
                    each.unit(),
                    goal == null ? "" : goal.text() + (each.isMet() ? "" : " missed"));
        }
        table.lines().forEach(to::println);
        to.println();
        findings.notes().forEach(to::println);
        to.println("picture: " + picture(findings));
        to.println();
        to.flush();
    }

    private Map<String, Object> document(List<Findings> all) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put(
                "command",
                COMMAND
                        + String.join(" ", names)
                        + (replicas > 1 ? " --replicas " + replicas : "")
                        + (duration == null ? "" : " --duration " + RecordOptions.text(duration))
                        + (site.quick() ? " --quick" : ""));
        document.put(
                "experiments",
                all.stream()
                        .map(each -> {
                            Map<String, @Nullable Object> one = LoadReports.document(COMMAND + each.experiment(), each);
                            one.put("picture", picture(each).toString());
                            return one;
                        })
                        .toList());
        return document;
    }
}
