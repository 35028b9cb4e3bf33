package io.sdds.core.query;

import io.sdds.core.protocol.Limits;
import io.sdds.core.row.MalformedRowException;
import io.sdds.core.row.RowEditor;
import io.sdds.core.row.RowLayout;
import io.sdds.core.row.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Computes what a program of an update makes of a record. For one thread. */
public final class UpdateEvaluation {
    /**
     * Most cost of one record. An update runs among the requests of its stage, not in slices, and should take no longer
     * than they may wait.
     */
    static final long COST_MAX = 4_000_000;

    private final Program program;
    private final Evaluation evaluation;
    private final RowEditor rows;
    private byte[] before = {};

    /** @param program valid, and {@link Output#isUpdate} */
    public UpdateEvaluation(Program program) {
        if (!program.output().isUpdate()) {
            throw new IllegalArgumentException("the program is of a query");
        }
        this.program = program;
        this.evaluation = new Evaluation(program, COST_MAX);
        RowShape shape = program.shape();
        this.rows = new RowEditor(new RowLayout(shape.values(), shape.defaults()));
    }

    /**
     * Takes a record.
     *
     * @return whether the record passes the filter
     * @throws UpdateFailure when the filter has an error, or the program costs too much for this record
     */
    public boolean begin(byte[] key, byte[] value, long version) {
        before = value;
        try {
            evaluation.begin(key, value, version);
            return evaluation.passes();
        } catch (EvaluationFailure e) {
            throw new UpdateFailure(e.error(), -1);
        }
    }

    /** Whether the update removes records; else it gives them values. */
    public boolean removes() {
        return program.output() instanceof Output.Remove;
    }

    /**
     * The value that the record gets, of an update that does not remove.
     *
     * @throws UpdateFailure when a value has an error or does not fit its column
     */
    public byte[] value() {
        List<Output.Assignment> assignments = ((Output.Write) program.output()).assignments();
        List<Integer> columns = new ArrayList<>(assignments.size());
        List<byte @Nullable []> values = new ArrayList<>(assignments.size());
        for (Output.Assignment assignment : assignments) {
            columns.add(assignment.column());
            values.add(value(assignment));
        }
        byte[] after = columns.get(0) == Output.Assignment.WHOLE_VALUE
                ? Objects.requireNonNull(values.get(0)) // not null by value()
                : edited(columns, values);
        if (after.length > Limits.VALUE_BYTES_MAX) {
            throw new UpdateFailure(EvaluationError.ROW_TOO_LONG, -1);
        }
        return after;
    }

    /** Bytes of memory that it holds when it has no record, about. */
    public long bytes() {
        return evaluation.bytes();
    }

    /** Lets go of the record, whose memory an evaluation that is kept would hold. */
    public void clear() {
        before = new byte[0];
        evaluation.clear();
    }

    private byte[] edited(List<Integer> columns, List<byte @Nullable []> values) {
        try {
            return rows.edit(before, columns, values);
        } catch (MalformedRowException e) {
            throw new UpdateFailure(EvaluationError.INVALID_ROW, -1);
        }
    }

    private byte @Nullable [] value(Output.Assignment assignment) {
        int column = assignment.column();
        boolean isWhole = column == Output.Assignment.WHOLE_VALUE;
        byte[] value;
        try {
            value = evaluation.value(assignment.value());
        } catch (EvaluationFailure e) {
            throw new UpdateFailure(e.error(), column);
        }
        if (value == null && (isWhole || assignment.notNull())) {
            throw new UpdateFailure(EvaluationError.NULL_VALUE, column);
        }
        ValueType type =
                isWhole ? ValueType.VARBINARY : program.shape().values().get(column);
        if (!Constants.fits(type, value)) {
            throw new UpdateFailure(EvaluationError.DOES_NOT_FIT, column);
        }
        return value;
    }
}
