package io.sdds.bench.load;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The option of the command line that sets a component of a record of settings. The default of the option is the
 * component of the record's default settings.
 */
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface Setting {
    /** Label of options whose values are sizes, such as {@code 64k}. */
    String BYTES = "BYTES";

    /**
     * The option as the help shows it: name, label of its values, colon, description; for example {@code --rows N: Set
     * the number of rows.} The help adds the default, unless the description names it.
     */
    String value();
}
