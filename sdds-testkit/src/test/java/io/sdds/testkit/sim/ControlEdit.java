package io.sdds.testkit.sim;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import java.lang.reflect.RecordComponent;

/** Changes control messages in their frames, for planted bugs. */
final class ControlEdit {
    private ControlEdit() {}

    /** Gives a component of the message in the frame at {@code index} another value that takes as many bytes. */
    static void set(ByteBuf frame, int index, ControlMessage message, String component, Object value) {
        ByteBuf edited = Unpooled.buffer();
        ControlFrame.write(
                edited,
                frame.getByte(index + ControlFrame.KIND),
                frame.getIntLE(index + ControlFrame.CORRELATION),
                (ControlMessage) with((Record) message, component, value));
        if (edited.readableBytes() != frame.getIntLE(index)) {
            throw new IllegalArgumentException(component + " of another length");
        }
        frame.setBytes(index, edited, 0, edited.readableBytes());
    }

    /** The record with another value of one component. */
    @SuppressWarnings("unchecked")
    static <R extends Record> R with(R record, String component, Object value) {
        RecordComponent[] components = record.getClass().getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        try {
            for (int k = 0; k < components.length; k++) {
                types[k] = components[k].getType();
                boolean other = components[k].getName().equals(component);
                values[k] = other ? value : components[k].getAccessor().invoke(record);
            }
            return (R) record.getClass().getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
