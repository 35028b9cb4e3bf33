package io.sdds.client.internal.query;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.client.ProtocolException;
import io.sdds.client.QueryException;
import io.sdds.client.internal.Codecs;
import io.sdds.client.internal.routing.KeyText;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.query.EvaluationFailure;
import io.sdds.core.query.Op;
import io.sdds.core.query.Program;
import io.sdds.core.query.RowEvaluator;
import io.sdds.core.query.TupleCodec;
import io.sdds.core.row.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tuples of a program in the blocks of a sweep: as a brick has computed them, or computed here of records, for a
 * brick that does not know the program.
 */
final class Tuples {
    private final Schema schema;
    private final Program program;
    private final TupleCodec codec;

    /** @param schema of the table, for the texts of failures */
    Tuples(Schema schema, Program program) {
        this.schema = schema;
        this.program = program;
        this.codec = new TupleCodec(program.tuple());
    }

    /**
     * The tuples of a block.
     *
     * @param hasRecords whether the block has records
     * @throws QueryException when a value that the program uses is an error
     * @throws ProtocolException when the block is no block
     */
    List<List<byte @Nullable []>> of(byte[] block, boolean hasRecords) {
        return hasRecords ? computed(block) : answered(block);
    }

    private List<List<byte @Nullable []>> answered(byte[] block) {
        List<List<byte @Nullable []>> tuples = new ArrayList<>();
        ByteBuf in = Unpooled.wrappedBuffer(block);
        try {
            while (in.isReadable()) {
                tuples.add(codec.read(in));
            }
        } catch (ProtocolViolation e) {
            throw new ProtocolException("a block of rows cannot be read: " + e.getMessage(), false);
        }
        return tuples;
    }

    private List<List<byte @Nullable []>> computed(byte[] block) {
        if (program.instructions().stream().anyMatch(instruction -> instruction.op() == Op.RECORD_VERSION)) {
            throw new QueryException("a brick does not know programs, and its answers have no versions of records");
        }
        RowEvaluator evaluator = new RowEvaluator(program);
        Records<byte[], byte[]> records = new Records<>(
                block, RequestFrame.SCAN_RECORDS, Schema.NONE, Codecs.BYTES, ValueReader.of(Codecs.BYTES));
        while (records.hasNext()) {
            Map.Entry<byte[], byte[]> each = records.next();
            try {
                evaluator.add(each.getKey(), each.getValue(), 0);
            } catch (EvaluationFailure e) {
                throw new QueryException(e.error().text() + " at key " + KeyText.of(schema, each.getKey()));
            }
        }
        return evaluator.drain();
    }
}
