package io.sdds.brick.partition;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.Status;
import io.sdds.core.query.Program;
import io.sdds.core.query.ProgramCodec;
import io.sdds.core.query.UnsupportedProgram;
import io.sdds.core.query.UpdateEvaluation;
import io.sdds.core.query.UpdateFailure;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Evaluates the programs of UPDATEs. Those that were used last are kept ready. A stage uses one object, which changes
 * nothing but itself.
 */
final class Updates {
    private static final Logger log = LoggerFactory.getLogger(Updates.class);

    private static final int READY_MAX = 64;

    /** Most bytes of the programs that are kept; one alone may have more. */
    static final long READY_BYTES_MAX = 4 << 20;

    private static final float LOAD_FACTOR = 0.75f;

    /** By their bytes, the one that was used last at the end. */
    private final LinkedHashMap<ByteBuf, UpdateEvaluation> ready = new LinkedHashMap<>(16, LOAD_FACTOR, true);

    private long readyBytes;
    private MemorySegment value = MemorySegment.NULL;
    private boolean removes;
    private long failure;

    /**
     * The program of a request, ready.
     *
     * @throws ProtocolViolation if it is no program of an update
     * @throws UnsupportedProgram if it is of a later version
     */
    UpdateEvaluation program(Request request) {
        ByteBuf encoded = request.buffer.slice((int) request.valueOffset, request.valueLength);
        UpdateEvaluation known = ready.get(encoded);
        if (known != null) {
            return known;
        }
        Program program = ProgramCodec.decode(encoded.slice());
        if (!program.output().isUpdate()) {
            throw new ProtocolViolation("program: a query in the place of an update");
        }
        UpdateEvaluation evaluation = new UpdateEvaluation(program);
        keep(Unpooled.copiedBuffer(encoded), evaluation);
        return evaluation;
    }

    private void keep(ByteBuf encoded, UpdateEvaluation evaluation) {
        ready.put(encoded, evaluation);
        readyBytes += encoded.readableBytes() + evaluation.bytes();
        Iterator<Map.Entry<ByteBuf, UpdateEvaluation>> eldest = ready.entrySet().iterator();
        while (ready.size() > READY_MAX || readyBytes > READY_BYTES_MAX && ready.size() > 1) {
            Map.Entry<ByteBuf, UpdateEvaluation> entry = eldest.next();
            readyBytes -= entry.getKey().readableBytes() + entry.getValue().bytes();
            eldest.remove();
        }
    }

    /**
     * Evaluates the program of a request, which {@link #program} has accepted, for the record of its key.
     *
     * @return OK: the record gets {@link #value} or is removed; CONDITION_FALSE; UPDATE_FAILED with {@link #failure};
     *     INTERNAL_ERROR if the evaluation itself is at fault. A program only reads, so nothing has changed then
     */
    byte run(Request request, Current current) {
        UpdateEvaluation evaluation = program(request);
        byte[] before = current.segment
                .asSlice(current.valueOffset, current.valueLength)
                .toArray(ValueLayout.JAVA_BYTE);
        try {
            if (!evaluation.begin(request.key(), before, current.version)) {
                return Status.CONDITION_FALSE;
            }
            removes = evaluation.removes();
            if (!removes) {
                value = MemorySegment.ofArray(evaluation.value());
            }
            return Status.OK;
        } catch (UpdateFailure e) {
            failure = e.code();
            return Status.UPDATE_FAILED;
        } catch (RuntimeException e) {
            log.error("the evaluation of an update of {} has failed", request.link.remote(), e);
            return Status.INTERNAL_ERROR;
        } finally {
            evaluation.clear();
        }
    }

    /** Whether the record is removed. */
    boolean removes() {
        return removes;
    }

    /** The value that the record gets. */
    MemorySegment value() {
        return value;
    }

    /** Why there is no result, as {@link UpdateFailure#code}. */
    long failure() {
        return failure;
    }
}
