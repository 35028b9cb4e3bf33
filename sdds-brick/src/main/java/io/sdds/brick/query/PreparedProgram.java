package io.sdds.brick.query;

import io.sdds.core.query.Instruction;
import io.sdds.core.query.Op;
import io.sdds.core.query.Output;
import io.sdds.core.query.Program;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * A program with its registers, ready for batches. The parts of a filter that are connected by AND are evaluated one
 * after the other, the cheap ones first, each only for the rows for which no part before is FALSE.
 */
final class PreparedProgram {
    private static final int NONE = -1;

    /** Bytes of the objects of an instruction and of a constant, besides arrays. */
    private static final int INSTRUCTION_BYTES = 256;

    private static final int CONSTANT_BYTES = 32;

    /** Most bytes of texts that may be read for one row: about 20 ms. */
    private static final long WORK_MAX = 160L << 20;

    private final Program program;
    private final RowBatch batch;
    private final Scratch scratch;
    private final Kernels prepared;
    private final Lane[] lanes;
    private final List<Stage> stages = new ArrayList<>();
    private final int[] selected = new int[Lane.ROWS];

    /** The lanes with texts that are answered. */
    private final List<Lane> answered;

    /** Parts of the program whose cost grows with the texts of a record. */
    private final int textReaders;

    /** Cost of the rows that were evaluated, in about nanoseconds. */
    private long cost;

    /** The first row whose filter is an error; {@link #NONE} without one. */
    private int failedRow;

    private byte failure;

    /**
     * Kernels that run together.
     *
     * @param readsRows whether the headers of the rows are read before
     * @param readsKeys whether the columns of the keys are read before
     * @param haveRows whether the headers have been read, by this stage or an earlier one
     * @param kernels in the order of the instructions
     * @param condition number of the instruction whose FALSE removes a row behind the stage; -1: none
     * @param live lanes that have been computed and are needed by later stages
     */
    private record Stage(
            boolean readsRows,
            boolean readsKeys,
            boolean haveRows,
            List<Kernel> kernels,
            int condition,
            List<Lane> live,
            int cost) {}

    PreparedProgram(Program program, Map<Integer, ConstantTable> tables, RowBatch batch, Scratch scratch) {
        this.program = program;
        this.batch = batch;
        this.scratch = scratch;
        this.prepared = new Kernels(program, tables, batch, scratch);
        this.lanes = prepared.lanes;
        this.answered = outputs().stream()
                .map(output -> lanes[output])
                .filter(lane -> Lane.isText(lane.type))
                .toList();
        int readers = answered.size();
        for (Kernel kernel : prepared.kernels) {
            readers += kernel.readsText() ? 1 : 0;
        }
        this.textReaders = readers;
        plan();
    }

    Program program() {
        return program;
    }

    Lane[] lanes() {
        return lanes;
    }

    // ---- the plan

    private void plan() {
        List<boolean[]> needs = new ArrayList<>();
        List<Integer> conditions = new ArrayList<>();
        List<Integer> parts = new ArrayList<>();
        collectParts(program.filter(), parts);
        parts.sort(Comparator.comparingInt(this::costOf));
        for (int part : parts) {
            needs.add(needed(List.of(part)));
            conditions.add(part);
        }
        List<Integer> rest = new ArrayList<>(outputs());
        if (program.filter() >= 0) {
            needs.add(needed(List.of(program.filter())));
            conditions.add(NONE);
        }
        needs.add(needed(rest));
        conditions.add(NONE);
        boolean[] done = new boolean[lanes.length];
        for (int k = 0; k < needs.size(); k++) {
            stages.add(stage(k, needs, conditions.get(k), done));
        }
    }

    /** The operands of nested ANDs; nothing if the filter is no AND. */
    private void collectParts(int filter, List<Integer> parts) {
        if (filter >= 0 && instruction(filter).op() == Op.AND) {
            for (int operand :
                    new int[] {instruction(filter).a(), instruction(filter).b()}) {
                if (instruction(operand).op() == Op.AND) {
                    collectParts(operand, parts);
                } else {
                    parts.add(operand);
                }
            }
        }
    }

    private Instruction instruction(int number) {
        return program.instructions().get(number);
    }

    private int costOf(int part) {
        boolean[] needed = needed(List.of(part));
        int sum = 0;
        for (int k = 0; k < needed.length; k++) {
            sum += needed[k] ? prepared.kernels[k].cost() : 0;
        }
        return sum;
    }

    private boolean[] needed(List<Integer> results) {
        boolean[] needed = new boolean[lanes.length];
        results.forEach(result -> needed[result] = true);
        for (int k = lanes.length - 1; k >= 0; k--) {
            if (needed[k] && !readsRecord(k)) {
                for (int operand : operands(k)) {
                    needed[operand] = true;
                }
            }
        }
        return needed;
    }

    private int[] operands(int number) {
        Instruction instruction = instruction(number);
        return Arrays.stream(new int[] {instruction.a(), instruction.b(), instruction.c()})
                .filter(operand -> operand >= 0)
                .toArray();
    }

    private boolean readsRecord(int number) {
        return instruction(number).op().compareTo(Op.CONSTANT) <= 0;
    }

    private List<Integer> outputs() {
        Output output = program.output();
        List<Integer> used = new ArrayList<>();
        if (output instanceof Output.Project project) {
            used.addAll(project.columns());
        } else if (output instanceof Output.Aggregate aggregate) {
            used.addAll(aggregate.keys());
            aggregate.aggregations().stream()
                    .map(Output.Aggregation::operand)
                    .filter(operand -> operand >= 0)
                    .forEach(used::add);
        } else if (output instanceof Output.Top top) {
            top.order().forEach(key -> used.add(key.value()));
            used.addAll(top.columns());
        }
        return used;
    }

    private Stage stage(int number, List<boolean[]> needs, int condition, boolean[] done) {
        List<Kernel> kernels = new ArrayList<>();
        boolean readsRows = false;
        boolean readsKeys = false;
        int sum = 0;
        for (int k = 0; k < lanes.length; k++) {
            if (needs.get(number)[k] && !done[k]) {
                done[k] = true;
                readsRows |= instruction(k).op() == Op.VALUE_COLUMN && !anyRead(Op.VALUE_COLUMN);
                readsKeys |= instruction(k).op() == Op.KEY_COLUMN && !anyRead(Op.KEY_COLUMN);
                kernels.add(prepared.kernels[k]);
                sum += prepared.kernels[k].cost();
            }
        }
        List<Lane> live = new ArrayList<>();
        for (int k = 0; k < lanes.length; k++) {
            int lane = k;
            boolean later = needs.subList(number + 1, needs.size()).stream().anyMatch(need -> need[lane]);
            // Columns of the key are read together.
            boolean read = done[k] || instruction(k).op() == Op.KEY_COLUMN && (readsKeys || anyRead(Op.KEY_COLUMN));
            if (later && read && !live.contains(lanes[k])) {
                live.add(lanes[k]);
            }
        }
        boolean haveRows = readsRows || anyRead(Op.VALUE_COLUMN);
        return new Stage(readsRows, readsKeys, haveRows, kernels, condition, live, sum);
    }

    private boolean anyRead(Op source) {
        return stages.stream().anyMatch(stage -> source == Op.VALUE_COLUMN ? stage.readsRows() : stage.readsKeys());
    }

    // ---- the evaluation

    /**
     * Evaluates the filter and what is answered, for the rows of the batch. Afterwards the batch has the rows that pass
     * the filter, up to the first one whose filter is an error.
     *
     * @return false if the batch lacked memory for texts, and must be evaluated in parts
     */
    boolean run() {
        failedRow = NONE;
        scratch.begin(batch.rows());
        int last = stages.size() - 1;
        for (int k = 0; k < last; k++) {
            Stage stage = stages.get(k);
            run(stage);
            if (stage.condition() != NONE) {
                removeFalse(lanes[stage.condition()], stage);
            } else {
                keepTrue(lanes[program.filter()], stage);
            }
        }
        run(stages.get(last));
        for (Lane lane : answered) {
            readAll(lane);
        }
        cost += scratch.takeWork() / Long.BYTES;
        return !scratch.isExhausted() || batch.wasOne();
    }

    private void run(Stage stage) {
        int rows = batch.rows();
        if (stage.readsRows()) {
            prepared.rows.read(rows);
        }
        if (stage.readsKeys()) {
            prepared.keys.read(rows);
        }
        for (Kernel kernel : stage.kernels()) {
            kernel.run(rows);
            if (scratch.work() > WORK_MAX) {
                cost += scratch.takeWork() / Long.BYTES;
                throw new RowFailure(0, Fault.TOO_COSTLY); // one row, since the bytes of several are bounded
            }
        }
        cost += (long) rows * stage.cost();
    }

    /** Counts the bytes of texts that are answered. */
    private void readAll(Lane lane) {
        for (int i = 0; i < batch.rows(); i++) {
            if (lane.has(i)) {
                scratch.read(lane.lengths[i]);
            }
        }
    }

    /** Bytes of memory that it holds, about. */
    long bytes() {
        long bytes = 0;
        for (int k = 0; k < lanes.length; k++) {
            bytes += INSTRUCTION_BYTES + lanes[k].bytes() + prepared.kernels[k].bytes();
            for (byte[] constant : instruction(k).constants()) {
                bytes += constant == null ? 0 : CONSTANT_BYTES + constant.length;
            }
        }
        return bytes;
    }

    /** Parts of the program whose cost grows with the texts of a record. */
    int textReaders() {
        return textReaders;
    }

    /** Removes the rows that cannot pass. NULL may still become an error. */
    private void removeFalse(Lane condition, Stage stage) {
        int rows = batch.rows();
        int kept = 0;
        if (condition.clean) {
            for (int i = 0; i < rows; i++) {
                selected[kept] = i;
                kept += (int) condition.values[i];
            }
        } else {
            for (int i = 0; i < rows; i++) {
                selected[kept] = i;
                kept += condition.states[i] == Lane.VALUE && condition.values[i] == 0 ? 0 : 1;
            }
        }
        compact(kept, stage);
    }

    private void keepTrue(Lane filter, Stage stage) {
        if (filter.clean) {
            removeFalse(filter, stage);
            return;
        }
        int rows = batch.rows();
        int kept = 0;
        for (int i = 0; i < rows; i++) {
            byte state = filter.states[i];
            if (state > Lane.NULL) {
                failedRow = kept;
                failure = state;
                selected[kept++] = i;
                break;
            }
            selected[kept] = i;
            kept += state == Lane.VALUE && filter.values[i] != 0 ? 1 : 0;
        }
        compact(kept, stage);
    }

    private void compact(int kept, Stage stage) {
        if (kept == batch.rows()) {
            return;
        }
        batch.compact(selected, kept);
        if (stage.haveRows()) {
            prepared.rows.compact(selected, kept);
        }
        for (Lane lane : stage.live()) {
            lane.compact(selected, kept);
        }
    }

    /** Rows that pass the filter before the first one whose filter is an error. */
    int passed() {
        return failedRow == NONE ? batch.rows() : failedRow;
    }

    /** Throws if the filter of the row behind {@link #passed} is an error. */
    void checkFilter() {
        if (failedRow != NONE) {
            throw new RowFailure(failedRow, failure);
        }
    }

    /** Cost since the last call. */
    long takeCost() {
        long taken = cost;
        cost = 0;
        return taken;
    }

    /** About the nanoseconds that a row costs that passes the filter, its bytes of text apart. */
    int costOfRow() {
        int sum = 0;
        for (Stage stage : stages) {
            sum += stage.cost();
        }
        return sum;
    }
}
