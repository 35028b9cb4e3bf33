package io.sdds.sim.planted;

import java.lang.reflect.RecordComponent;

/** Changes records, for planted bugs: control messages and what they are made of. */
public final class ControlEdit {
    private ControlEdit() {}

    /**
     * The record with another value of one component.
     *
     * @throws IllegalArgumentException when the record has no such component
     */
    @SuppressWarnings("unchecked")
    public static <R extends Record> R with(R record, String component, Object value) {
        RecordComponent[] components = record.getClass().getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        boolean found = false;
        try {
            for (int k = 0; k < components.length; k++) {
                types[k] = components[k].getType();
                boolean other = components[k].getName().equals(component);
                values[k] = other ? value : components[k].getAccessor().invoke(record);
                found |= other;
            }
            if (!found) {
                throw new IllegalArgumentException(record.getClass() + " has no component " + component);
            }
            return (R) record.getClass().getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
