package io.sdds.core.query;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.ProtocolViolation;
import org.jspecify.annotations.Nullable;

/**
 * Reads and checks an encoded program in parts, so that a stage can do something else between two parts of a long one.
 * For one thread.
 */
public final class ProgramDecoder {
    private final ProgramReader reader;
    private @Nullable Program read;

    /** The constant of a list that is checked next, and its instruction. */
    private int constant;

    private int instruction;

    /** @param in has the program alone */
    public ProgramDecoder(ByteBuf in) {
        this.reader = new ProgramReader(in);
    }

    /**
     * Does a part of the work.
     *
     * @param most work to do, in about bytes of the program; nanoseconds are of the same order
     * @return the program, which is valid; null: there is more to do
     * @throws UnsupportedProgram when the program is of a later version
     * @throws ProtocolViolation when the bytes are no program; memory is bounded by the bytes given
     */
    public @Nullable Program advance(int most) {
        if (read == null) {
            read = reader.advance(most);
            if (read != null) {
                require(ProgramValidator.problemBesideLists(read));
            }
            return null;
        }
        return checkLists(read, most) ? read : null;
    }

    private boolean checkLists(Program program, int most) {
        int work = most;
        while (instruction < program.instructions().size()) {
            Instruction in = program.instructions().get(instruction);
            int count = in.op() == Op.IN ? in.constants().size() : 0;
            while (constant < count) {
                if (work <= 0) {
                    return false;
                }
                byte[] value = in.constants().get(constant++);
                work -= ProgramReader.CONSTANT_WORK + (value == null ? 0 : value.length);
                if (!ProgramValidator.fitsList(program, in, value)) {
                    require("instruction " + instruction + ", IN: a constant does not fit");
                }
            }
            constant = 0;
            instruction++;
        }
        return true;
    }

    private static void require(@Nullable String problem) {
        if (problem != null) {
            throw new ProtocolViolation("program: " + problem);
        }
    }
}
