package io.sdds.cli.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The option of the command line for a component of a record of settings. */
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
@interface Flag {
    /**
     * The option as the help shows it: name, label of its values if it has any, colon, description; for example
     * {@code --id ID: Set the name of the brick.}
     */
    String value();
}
