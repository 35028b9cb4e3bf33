package io.sdds.brick.query;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.query.Instruction;
import io.sdds.core.query.Op;
import io.sdds.core.query.Program;
import io.sdds.core.query.ProgramDecoder;
import io.sdds.core.row.ValueType;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads and checks a long program, and fills the tables of its lists, in parts that each are a slice of a stage. */
public final class ProgramLoader {
    private final ProgramDecoder decoder;
    private final int encodedBytes;
    private final Map<Integer, ConstantTable> tables = new LinkedHashMap<>();
    private @Nullable Program program;
    private int instruction;

    public ProgramLoader(ByteBuf encoded) {
        this.encodedBytes = encoded.readableBytes();
        this.decoder = new ProgramDecoder(encoded);
    }

    /**
     * Does a part of the work.
     *
     * @param most work to do, in about nanoseconds
     * @return the program; null: there is more to do
     * @throws io.sdds.core.query.UnsupportedProgram if the program is of a later version
     * @throws ProtocolViolation if the bytes are no program of a query
     */
    public @Nullable KeptProgram advance(int most) {
        Program read = program;
        if (read == null) {
            program = decoder.advance(most);
            if (program != null && program.output().isUpdate()) {
                throw new ProtocolViolation("program: an update in the place of a query");
            }
            return null;
        }
        while (instruction < read.instructions().size()) {
            Instruction in = read.instructions().get(instruction);
            if (in.op() != Op.IN) {
                instruction++;
                continue;
            }
            ValueType type = read.instructions().get(in.a()).type();
            ConstantTable table =
                    tables.computeIfAbsent(instruction, number -> new ConstantTable(type, in.constants()));
            if (table.fill(most)) {
                instruction++;
            }
            return null;
        }
        return new KeptProgram(read, tables, encodedBytes);
    }
}
